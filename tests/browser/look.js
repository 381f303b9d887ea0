// What a visitor can see and reach on the page, found in the page itself; and when it is at rest.
globalThis.look = (() => {
  const FOLLOWS = 350; // ms; the address follows the last message of the kernel after 300
  const waiting = new Set();
  let heard = 0;

  /** The parts of a kernel message on the wire: channel, header, parent header, metadata, content. */
  function parts(data) {
    const view = new DataView(data);
    const offset = (i) => Number(view.getBigUint64(8 * (i + 1), true));
    const text = (i) => new TextDecoder().decode(new Uint8Array(data, offset(i), offset(i + 1) - offset(i)));
    return { header: JSON.parse(text(1)), parent: JSON.parse(text(2)), content: () => JSON.parse(text(4)) };
  }

  globalThis.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        heard = performance.now();
        const { header, parent, content } = parts(data);
        if (header.msg_type === "status" && content().execution_state === "idle") waiting.delete(parent.msg_id);
      });
    }

    send(data) {
      if (data instanceof ArrayBuffer) {
        const { header } = parts(data);
        if (header.msg_type === "comm_msg") waiting.add(header.msg_id);
      }
      super.send(data);
    }
  };

  /** Whether the kernel has answered all that was done and the page has shown it. */
  const rests = () => waiting.size === 0 && performance.now() - heard > FOLLOWS;

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const seen = (node) => node.getClientRects().length > 0 && getComputedStyle(node).visibility !== "hidden";
  const REACHED = "input, select, textarea, button, summary, [tabindex='0']";
  const section = (name) => document.querySelector(`.gdp-section.gdp-${name}`);
  const plot = (name) => section(name).querySelector(".gdp-plot");
  const named = (node, prefix) => [...node.classList].find((name) => name.startsWith(prefix)).slice(prefix.length);

  /** Names of the plots that are shown, in the order of the page. */
  const plots = () => all(".gdp-section:has(.gdp-plot)").filter(seen).map((box) => box.classList[box.classList.length - 1].slice(4));

  /** Names of the rows with a number box; `slider` for those that also have a slider. */
  function rows(slider = false) {
    const found = all(".gdp-row:has(input[type=text])").filter((row) => !slider || row.querySelector(".noUi-handle"));
    return found.map((row) => row.classList[row.classList.length - 1].slice(4));
  }

  const box_of = (name) => document.querySelector(`.gdp-row.gdp-${name} input`);
  const reached = () => all(REACHED, document.querySelector(".gdp-app")).filter((node) => seen(node) && !node.disabled);

  function label(node) {
    if (node.ariaLabel) return node.ariaLabel;
    if (node.type === "checkbox") return node.parentElement.textContent.trim();
    return node.textContent.trim();
  }

  function value(node) {
    if (node.type === "checkbox") return node.checked;
    if (node.matches("select")) return node.selectedOptions[0].text.replaceAll("\u00a0", " ");
    if (node.matches(".noUi-handle")) return Number(node.ariaValueNow);
    if (node.matches("button")) return node.ariaPressed === "true";
    return node.value;
  }

  /** Every control that has a value, by role and name, and the value that it shows. */
  function controls() {
    const holders = reached().filter((node) => !node.matches("button:not(.widget-toggle-button), summary, textarea"));
    const role = (node) => (node.matches(".noUi-handle") ? "slider" : node.matches("button") ? "switch" : node.type);
    return Object.fromEntries(holders.map((node) => [`${role(node)} ${label(node)}`, value(node)]));
  }

  const inked = (path) => path.getAttribute("d") && parseFloat(getComputedStyle(path).strokeWidth) > 0;
  const curves = (name) => all(".scatterlayer .trace path.js-line", plot(name)).filter(inked);
  const texts = (name, selector = "text") =>
    all(`.gdp-plot ${selector}`, section(name)).map((text) => text.textContent.replaceAll("\u200b", "")).filter((text) => text.trim());

  /** What one plot shows, as a text that differs when anything drawn does. */
  function picture(name) {
    const marks = all(".point, .textpoint text, .hm image", plot(name));
    const drawn = marks.map((mark) => ["d", "transform", "x", "y", "href"].map((key) => mark.getAttribute(key)).join());
    return [...curves(name).map((path) => path.getAttribute("d")), ...drawn, ...texts(name)].join("\n");
  }

  const pictures = () => plots().map(picture).join("\n");
  const drawn = () => Object.fromEntries(plots().map((name) => [name, Number(plot(name).dataset.drawn ?? 0)]));
  const range = (name, axis) => [...plot(name)._fullLayout[axis].range];
  const sentence = (name) => section(name).querySelector(".gdp-panel > p").textContent;
  const captions = (name) => all(".gdp-captions > span", section(name)).map((text) => text.textContent);
  const numbers = () => all(".gdp-panel dd").map((number) => number.textContent);
  const box = (node) => (({ x, y, width, height }) => [x, y, width, height].map(Math.round))(node.getBoundingClientRect());

  return {
    all, box, box_of, captions, controls, curves, drawn, label, named, numbers, picture, pictures, plot, plots, range, reached, rests,
    rows, section, seen, sentence, texts,
  };
})();
