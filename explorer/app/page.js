// The parts of the app that need the browser: address, theme, held handles, refused texts, screen readers.

const root = document.documentElement;
const STORED_THEME = "explorer-theme";

/** The browser's storage, which throws where site data are blocked: then nothing is remembered. */
const storage = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // The theme lasts until the page is closed.
    }
  },
};

function setTheme(name, palettes) {
  root.dataset.theme = root.style.colorScheme = name;
  for (const [colourName, colour] of Object.entries(palettes[name])) root.style.setProperty(`--gdp-${colourName}`, colour);
  dispatchEvent(new Event("explorer-restyle"));
}

// Characters; the server drops a connection that sends a message of more than a MiB.
const MOST = { textarea: 2 ** 18, text: 200 };

/** Tell screen readers what ipywidgets does not: names, values in place of notches, pressed buttons. */
function describe(scope) {
  const set = (node, name, text) => node[name] !== text && (node[name] = text);
  for (const row of scope.querySelectorAll(".gdp-row")) {
    const label = row.querySelector(".widget-label")?.textContent;
    const box = row.querySelector("input[type=text]");
    const handle = row.querySelector(".noUi-handle");
    if (box && label) set(box, "ariaLabel", label);
    if (!handle) continue;
    set(handle, "ariaLabel", label);
    set(handle, "ariaValueText", box.value);
  }
  for (const box of scope.querySelectorAll(".gdp-app :is(input[type=text], textarea)"))
    set(box, "maxLength", MOST[box.type]);
  for (const list of scope.querySelectorAll(".gdp-app select"))
    set(list, "ariaLabel", list.labels[0]?.textContent || list.title);
  for (const button of scope.querySelectorAll(".gdp-app button")) {
    if (!/\p{L}/u.test(button.textContent)) set(button, "ariaLabel", button.title);
    if (!button.matches(".widget-toggle-button")) continue;
    set(button, "ariaPressed", String(button.classList.contains("mod-active")));
  }
  for (const bar of scope.querySelectorAll(".gdp-app .widget-hprogress .progress")) {
    set(bar, "role", "progressbar");
    set(bar, "ariaLabel", bar.closest(".gdp-simulation").querySelector("button").title);
    set(bar, "ariaValueNow", String(parseInt(bar.firstChild.style.width) || 0));
  }
  for (const group of scope.querySelectorAll(".gdp-app .widget-toggle-buttons")) {
    set(group, "role", "group");
    set(group, "ariaLabel", group.querySelector(".widget-label").title);
  }
}

const ALERT = "[role=alert]";
const HELP_BUTTON = ".gdp-app > .gdp-header > :last-child";

/** A box keeps a refused text until Esc, or until another control is chosen; then its value is back. */
function putBack(except) {
  for (const row of document.querySelectorAll(`.gdp-app .gdp-row:has(> .gdp-message ${ALERT})`)) {
    const box = row.querySelector("input[type=text]");
    if (!box || row.contains(except) || box.dataset.kept === undefined) continue;
    box.value = box.dataset.kept;
    for (const type of ["input", "change"]) box.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

/** Remember what stood in a box before it was edited. */
function keep({ target }) {
  if (!target.matches?.(".gdp-row input[type=text]") || target.dataset.edited) return;
  if (target.closest(".gdp-row").querySelector(ALERT)) return;
  target.dataset.kept = target.value;
  target.dataset.edited = "yes";
}

/** Esc and a click outside close the help, as its own button does. */
function closeHelp() {
  const help = document.querySelector(".gdp-app > .gdp-about:not(.gdp-hidden)");
  if (!help) return;
  help.querySelector("button").click();
  document.querySelector(HELP_BUTTON).focus();
}

const placed = new WeakSet();

/** Put messages beside their rows, over the plots, where they cover no control; or, if narrow, into view. */
function placeMessages() {
  const app = document.querySelector(".gdp-app");
  for (const message of document.querySelectorAll(`.gdp-side .gdp-message:has(${ALERT})`)) {
    const alert = message.querySelector(ALERT);
    if (getComputedStyle(message).position === "static" && !placed.has(alert)) message.scrollIntoView({ block: "nearest" });
    placed.add(alert);
    const { height, left, right } = message.getBoundingClientRect();
    let { top } = message.parentElement.getBoundingClientRect();
    for (const head of document.querySelectorAll(".gdp-section > .gdp-head")) {
      const box = head.getBoundingClientRect();
      if (right < box.left || left > box.right || top + height < box.top || top > box.bottom) continue;
      top = box.bottom - top < top + height - box.top ? box.bottom + 2 : box.top - height - 2;
    }
    message.style.setProperty("--gdp-top", `${Math.round(top - app.getBoundingClientRect().top)}px`);
  }
}

export default {
  async render({ model, el }) {
    const feed = await model.widget_manager.get_model(model.get("feed").slice("IPY_MODEL_".length));
    const [texts, palettes] = [model.get("words"), feed.get("palettes")];
    const status = document.createElement("div");
    status.setAttribute("role", "status");
    status.className = "gdp-status";
    el.append(status);
    const spoken = document.createElement("div");
    spoken.setAttribute("aria-live", "polite");
    spoken.className = "gdp-spoken";
    el.append(spoken);
    const own = "explorer" in root.dataset;
    let timer, hushed, sentences, grips = 0;

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

    /** Release once the kernel has answered: ipywidgets holds a slider's last value back until then. */
    async function release() {
      if (!model.get("held")) return;
      const grip = grips;
      await new Promise((resolve) => {
        model.on("msg:custom", resolve);
        model.send({});
      });
      model.off("msg:custom");
      if (grip === grips) hold(false);
      follow();
    }

    function grab() {
      grips += 1;
      hold(true);
    }

    const actions = {
      "gdp-theme": () => {
        const other = root.dataset.theme === "dark" ? "light" : "dark";
        storage.set(STORED_THEME, other);
        setTheme(other, palettes);
      },
      "gdp-copy": async () => {
        try {
          await navigator.clipboard.writeText(new URL(feed.get("link"), location.href).href);
          say(texts.copied);
        } catch {
          say(texts.not_copied);
        }
      },
    };

    const listeners = new AbortController();
    const listen = (type, act) => document.addEventListener(type, act, { capture: true, signal: listeners.signal });
    listen("pointerdown", ({ target }) => target.closest?.(".noUi-handle") && grab());
    listen("explorer-grab", grab); // a plot's marked point
    for (const type of ["pointerup", "pointercancel"]) listen(type, release);
    // Where the page is one column, the plot that belongs to the control in hand comes into view.
    for (const type of ["pointerdown", "focusin"])
      listen(type, ({ target }) => {
        const plot = target.closest?.("[class*=gdp-for-]")?.className.match(/gdp-for-(\w+)/)[1];
        const shown = (name) => document.querySelector(`.gdp-section.gdp-${name}`);
        const box = plot && [plot, "power"].map(shown).find((node) => node.offsetParent);
        if (box && getComputedStyle(box.parentElement).display === "flex") box.scrollIntoView({ block: "start" });
      });
    listen("beforeinput", keep);
    listen("change", ({ target }) => delete target.dataset?.edited);
    listen("focusin", ({ target }) => putBack(target));
    listen("scroll", placeMessages);
    listen("keydown", (event) => {
      if (event.key !== "Escape") return;
      putBack();
      closeHelp();
    });
    listen("pointerdown", ({ target }) => !target.closest?.(`.gdp-about, ${HELP_BUTTON}`) && closeHelp());
    listen("click", ({ target }) => {
      for (const [name, act] of Object.entries(actions)) if (target.closest?.(`.${name}`)) act();
    });

    /** Read out what a change did: the sentence of the control's own plot, or the first that is new. */
    function speak() {
      const shown = [...document.querySelectorAll(".gdp-section")].filter((section) => section.offsetParent);
      const now = new Map(shown.map((section) => [section, section.querySelector(".gdp-panel > p")?.textContent]));
      const changed = shown.filter((section) => now.get(section) && sentences && sentences.get(section) !== now.get(section));
      const own = document.activeElement?.closest("[class*=gdp-for-]")?.className.match(/gdp-for-(\w+)/)[1];
      const section = changed.find((section) => section.matches(`.gdp-${own}`)) ?? changed[0];
      sentences = now;
      if (section) spoken.textContent = now.get(section);
    }

    // The address follows the scenario, but not every step of a drag: browsers limit that.
    // In a notebook the address is not ours.
    function follow() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        describe(document);
        if (!model.get("held")) speak();
        if (own) history.replaceState(null, "", feed.get("link"));
      }, 300);
    }
    feed.on("change", follow);
    follow();

    const preferred = matchMedia("(prefers-color-scheme: dark)");
    const stored = storage.get(STORED_THEME);
    setTheme(stored ?? (preferred.matches ? "dark" : "light"), palettes);
    preferred.addEventListener("change", ({ matches }) => setTheme(matches ? "dark" : "light", palettes), {
      signal: listeners.signal,
    });

    const observer = new MutationObserver(() => {
      describe(document);
      placeMessages();
    });
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
