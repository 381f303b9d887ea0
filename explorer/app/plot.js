// Shows one panel of the feed: a figure with its sentence, or the read-outs.
// Only figures that changed and are on screen are redrawn, at most once a frame.

const SETTINGS = { displayModeBar: false, doubleClick: false };
const NARROW = 400; // px; below, labels are short
const LEAST = 40; // px; less room than this between the margins shows nothing
const REACH = 24; // px; as near to the marked point or its line as a finger comes
const SLOP = 8; // px; a touch that moves less across than this may still become a scroll
const root = document.documentElement;
let loading;

/** plotly.js: the page's own copy where it serves one, otherwise the kernel sends it once. */
function plotly(feed) {
  loading ??= new Promise((resolve, reject) => {
    const script = document.querySelector("script[data-plotly]") ?? document.createElement("script");
    if (globalThis.Plotly) return resolve(globalThis.Plotly);
    script.addEventListener("load", () => resolve(globalThis.Plotly));
    script.addEventListener("error", reject);
    if (script.isConnected) return;
    feed.on("msg:custom", (_, [source]) => {
      script.src = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      document.head.append(script);
    });
    feed.send({ wants: "plotly" });
  });
  return loading;
}

/** Replace the arrays, which come as bytes, and the names of colours by their values. */
function decode(node, arrays, colours) {
  if (typeof node === "string") return node[0] === "@" ? colours[node.slice(1)] : node;
  if (node === null || typeof node !== "object") return node;
  if (Array.isArray(node)) return node.map((item) => decode(item, arrays, colours));
  if ("f4" in node) {
    const { buffer, byteOffset, byteLength } = arrays[node.f4];
    const flat = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
    if (!node.columns) return flat;
    return Array.from({ length: flat.length / node.columns }, (_, row) =>
      flat.subarray(row * node.columns, (row + 1) * node.columns));
  }
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, decode(item, arrays, colours)]));
}

function drawItems(el, items) {
  const term = ({ label, value, kind, title }) => {
    const box = document.createElement("div");
    const [dt, dd, tag] = ["dt", "dd", "small"].map((tag) => document.createElement(tag));
    [dt.innerHTML, dd.textContent, tag.textContent, box.title] = [label, value, kind, title];
    dt.append(tag);
    box.append(dt, dd);
    return box;
  };
  const list = document.createElement("dl");
  list.append(...items.map(term));
  el.replaceChildren(list);
}

export default {
  async render({ model, el }) {
    const feed = await model.widget_manager.get_model(model.get("feed").slice("IPY_MODEL_".length));
    const name = model.get("name");
    const plot = document.createElement("div");
    const sentence = document.createElement("p");
    const captions = { above: document.createElement("div"), below: document.createElement("div") };
    plot.className = "gdp-plot";
    plot.setAttribute("role", "img");
    el.classList.add("gdp-panel");
    let panel = JSON.parse(feed.get(name).json);
    let Plotly, grip, dirty = true, visible = false, busy = false;

    function colours() {
      return feed.get("palettes")[root.dataset.theme === "dark" ? "dark" : "light"];
    }

    async function redraw() {
      if (busy || !dirty || !visible) return;
      const { data, layout } = decode(panel.figure, feed.get(name).arrays, colours());
      const { clientWidth: width, clientHeight: height } = plot;
      const { xaxis, yaxis, margin: { l, r, t, b } } = layout;
      if (width - l - r < LEAST || height - t - b < LEAST) return; // until it has grown
      [busy, dirty] = [true, false];
      Object.assign(layout, { width, height });
      const unit = (yaxis.range[1] - yaxis.range[0]) / (height - t - b);
      if (layout.meta?.square) xaxis.range[1] = xaxis.range[0] + unit * (width - l - r);
      if (width < NARROW) for (const trace of data) trace.text = trace.meta?.narrow ?? trace.text;
      for (const trace of data) {
        const room = trace.meta?.room; // of the numbers in the cells
        if (room && (width < room.width || height < room.height)) trace.texttemplate = "";
      }
      try {
        await Plotly.react(plot, data, layout, SETTINGS);
        plot.dataset.drawn = Number(plot.dataset.drawn ?? 0) + 1;
      } finally {
        busy = false;
      }
      if (dirty) requestAnimationFrame(redraw);
    }

    function update() {
      panel = JSON.parse(feed.get(name).json);
      if (!panel.figure) return drawItems(el, panel[model.get("part")]);
      sentence.textContent = panel.sentence;
      for (const [place, box] of Object.entries(captions))
        box.replaceChildren(...(panel[place] ?? []).map((text) => Object.assign(document.createElement("span"), { textContent: text })));
      plot.setAttribute("aria-label", panel.sentence);
      dirty = true;
      requestAnimationFrame(redraw);
    }

    /** The horizontal place of the marked points on the screen: they stand on one vertical line. */
    function handle() {
      const marks = (plot.data ?? []).findLast(({ mode, x }) => mode === "markers" && x.every((place) => place === x[0]));
      if (!marks?.x.length) return NaN;
      const { xaxis } = plot._fullLayout;
      return plot.getBoundingClientRect().left + xaxis._offset + xaxis.d2p(marks.x[0]);
    }

    const reached = ({ clientX }) => Math.abs(clientX - handle()) <= REACH;

    function press(event) {
      if (!event.isPrimary || event.button !== 0 || !reached(event)) return;
      plot.setPointerCapture(event.pointerId);
      grip = { offset: handle() - event.clientX, from: event.clientX, pulls: event.pointerType === "mouse" };
    }

    function move(event) {
      if (!plot.hasPointerCapture(event.pointerId)) return plot.classList.toggle("gdp-near", reached(event));
      if (!grip.pulls && Math.abs(event.clientX - grip.from) < SLOP) return;
      grip.pulls = true;
      if (!grip.held) plot.dispatchEvent(new Event("explorer-grab", { bubbles: true }));
      grip.held = true;
      pull(event.clientX + grip.offset, event.clientY);
    }

    function pull(clientX, clientY) {
      const { xaxis, yaxis } = plot._fullLayout;
      const box = plot.getBoundingClientRect();
      const at = (axis, pixels, from, to) => from + ((pixels - axis._offset) / axis._length) * (to - from);
      const x = at(xaxis, clientX - box.left, xaxis.range[0], xaxis.range[1]);
      const y = at(yaxis, clientY - box.top, yaxis.range[1], yaxis.range[0]);
      model.set("pulled", [x, y]);
      model.save_changes();
    }

    feed.on(`change:${name}`, update);
    addEventListener("explorer-restyle", update);
    const resized = new ResizeObserver(update);
    const seen = new IntersectionObserver(([entry]) => {
      visible = entry.isIntersecting;
      redraw();
    });
    if (panel.figure) {
      el.append(captions.above, plot, captions.below, sentence);
      for (const box of Object.values(captions)) box.className = "gdp-captions";
      // plotly.js keeps a touch from scrolling (plotly/plotly.js#2844); a tap still shows hover texts.
      plot.addEventListener("touchstart", (event) => event.stopPropagation(), { capture: true, passive: true });
      if (model.get("pullable")) {
        plot.classList.add("gdp-pullable");
        plot.addEventListener("pointerdown", press);
        plot.addEventListener("pointermove", move);
      }
      Plotly = await plotly(feed);
      resized.observe(plot);
      seen.observe(plot);
    }
    update();
    return () => {
      feed.off(`change:${name}`, update);
      removeEventListener("explorer-restyle", update);
      resized.disconnect();
      seen.disconnect();
      if (Plotly) Plotly.purge(plot);
    };
  },
};
