// What only the browser knows: the address, the theme, a held handle, names for screen readers.

const root = document.documentElement;
const HANDLES = ".noUi-handle, .gdp-pullable";

function theme(wanted, palettes) {
  root.dataset.theme = root.style.colorScheme = wanted;
  for (const [name, colour] of Object.entries(palettes[wanted])) root.style.setProperty(`--gdp-${name}`, colour);
  dispatchEvent(new Event("explorer-restyle"));
}

// The server drops a connection that sends a message of more than a MiB.
const MOST = { textarea: 2 ** 18, text: 200 };

/** What ipywidgets leaves unsaid to screen readers: names, values in place of notches, what is down. */
function describe(scope) {
  const say = (node, name, text) => node[name] !== text && (node[name] = text);
  for (const row of scope.querySelectorAll(".gdp-row")) {
    const label = row.querySelector(".widget-label")?.textContent;
    const box = row.querySelector("input[type=text]");
    const handle = row.querySelector(".noUi-handle");
    if (box && label) say(box, "ariaLabel", label);
    if (!handle) continue;
    say(handle, "ariaLabel", label);
    say(handle, "ariaValueText", box.value);
  }
  for (const box of scope.querySelectorAll(".gdp-app :is(input[type=text], textarea)"))
    say(box, "maxLength", MOST[box.type]);
  for (const list of scope.querySelectorAll(".gdp-app select"))
    say(list, "ariaLabel", list.labels[0]?.textContent || list.title);
  for (const button of scope.querySelectorAll(".gdp-app button")) {
    if (!/\p{L}/u.test(button.textContent)) say(button, "ariaLabel", button.title);
    if (!button.matches(".widget-toggle-button")) continue;
    say(button, "ariaPressed", String(button.classList.contains("mod-active")));
  }
  for (const bar of scope.querySelectorAll(".gdp-app .widget-hprogress .progress")) {
    say(bar, "role", "progressbar");
    say(bar, "ariaLabel", bar.closest(".gdp-simulation").querySelector("button").title);
    say(bar, "ariaValueNow", String(parseInt(bar.firstChild.style.width) || 0));
  }
  for (const group of scope.querySelectorAll(".gdp-app .widget-toggle-buttons")) {
    say(group, "role", "group");
    say(group, "ariaLabel", group.querySelector(".widget-label").title);
  }
}

export default {
  async render({ model, el }) {
    const feed = await model.widget_manager.get_model(model.get("feed").slice("IPY_MODEL_".length));
    const [words, palettes] = [model.get("words"), feed.get("palettes")];
    const status = document.createElement("div");
    status.setAttribute("role", "status");
    status.className = "gdp-status";
    el.append(status);
    const own = "explorer" in root.dataset;
    let timer, hushed, grips = 0;

    function say(text) {
      status.textContent = text;
      clearTimeout(hushed);
      hushed = setTimeout(() => (status.textContent = ""), 4000);
    }

    function hold(held) {
      if (model.get("held") === held) return;
      model.set("held", held);
      model.save_changes();
    }

    /** A slider keeps its last value until the kernel has answered the one before: that comes first. */
    async function release() {
      if (!model.get("held")) return;
      const grip = grips;
      await new Promise((resolve) => {
        model.on("msg:custom", resolve);
        model.send({});
      });
      model.off("msg:custom");
      if (grip === grips) hold(false);
    }

    function grab() {
      grips += 1;
      hold(true);
    }

    const actions = {
      "gdp-theme": () => {
        const wanted = root.dataset.theme === "dark" ? "light" : "dark";
        localStorage.setItem("explorer-theme", wanted);
        theme(wanted, palettes);
      },
      "gdp-copy": async () => {
        try {
          await navigator.clipboard.writeText(new URL(feed.get("link"), location.href).href);
          say(words.copied);
        } catch {
          say(words.not_copied);
        }
      },
    };

    const listeners = new AbortController();
    const listen = (type, act) => document.addEventListener(type, act, { capture: true, signal: listeners.signal });
    listen("pointerdown", ({ target }) => target.closest?.(HANDLES) && grab());
    for (const type of ["pointerup", "pointercancel"]) listen(type, release);
    // Where the page is one column, the plot that belongs to the control in hand comes into view.
    for (const type of ["pointerdown", "focusin"])
      listen(type, ({ target }) => {
        const plot = target.closest?.("[class*=gdp-for-]")?.className.match(/gdp-for-(\w+)/)[1];
        const shown = (name) => document.querySelector(`.gdp-section.gdp-${name}`);
        const box = plot && [plot, "power"].map(shown).find((node) => node.offsetParent);
        if (box && getComputedStyle(box.parentElement).display === "flex") box.scrollIntoView({ block: "start" });
      });
    listen("click", ({ target }) => {
      for (const [name, act] of Object.entries(actions)) if (target.closest?.(`.${name}`)) act();
    });

    // The address follows the scenario, but not every step of a drag: browsers limit that.
    // In a notebook the address is not ours.
    function follow() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        describe(document);
        if (own) history.replaceState(null, "", feed.get("link"));
      }, 300);
    }
    feed.on("change", follow);

    const preferred = matchMedia("(prefers-color-scheme: dark)");
    const stored = localStorage.getItem("explorer-theme");
    theme(stored ?? (preferred.matches ? "dark" : "light"), palettes);
    preferred.addEventListener("change", ({ matches }) => theme(matches ? "dark" : "light", palettes), {
      signal: listeners.signal,
    });

    const observer = new MutationObserver(() => describe(document));
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["aria-valuetext", "aria-valuenow", "class"],
    });

    if (own && location.search.length > 1) {
      model.set("query", location.search);
      model.save_changes();
    }
    return () => {
      listeners.abort();
      observer.disconnect();
      feed.off("change", follow);
    };
  },
};
