// The page around its widgets: waits for them, says what went wrong, ends the kernel of a closed tab.
(() => {
  "use strict";

  const SILENCE = 20_000; // ms without progress after which a start is stuck
  const texts = JSON.parse(document.getElementById("page-texts").textContent);
  const output = 'script[type="application/vnd.voila.cell-output+json"]';
  const widget = "#app .jupyter-widgets";
  let leaving = false;
  let lost, stuck;

  try {
    const theme = localStorage.getItem("explorer-theme"); // chosen in the app
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // The browser blocks site data: the system's theme.
  }

  /** Show a sentence with a button that reloads, until it is cleared for the same reason. */
  function say(reason) {
    const sentence = document.createElement("span");
    sentence.textContent = texts[reason];
    const button = document.createElement("button");
    button.textContent = texts.reload;
    button.addEventListener("click", () => location.reload());
    const alert = document.getElementById("alert");
    alert.dataset.reason = reason;
    alert.replaceChildren(sentence, button);
  }

  function clear(reason) {
    const alert = document.getElementById("alert");
    if (alert.dataset.reason === reason) alert.replaceChildren();
  }

  function status(text) {
    const line = document.querySelector("#skeleton [role=status]");
    if (line) line.textContent = text;
  }

  function fail() {
    status("");
    say("failed");
  }

  // Voilà calls this while the notebook's cell takes long.
  window.voila_heartbeat = () => status(texts.slow);
  // Voilà's own cells appear at once; here the first widget replaces the skeleton.
  window.voila_finish = () => {};

  new MutationObserver((_, observer) => {
    if (!document.querySelector(widget)) return;
    document.getElementById("skeleton").remove();
    clear("failed");
    clearTimeout(stuck);
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });

  addEventListener("DOMContentLoaded", () => {
    if (!document.querySelector(`${output}, ${widget}`)) return fail();
    // A file that has arrived and a message of the kernel are progress.
    new PerformanceObserver(() => progress()).observe({ type: "resource" });
    progress();
  });

  function progress() {
    clearTimeout(stuck);
    if (!document.querySelector(widget)) stuck = setTimeout(retry, SILENCE);
  }

  // A start that is stuck is tried once more before the page says that it failed; a large file
  // that is still on its way over a slow line is not given up.
  function retry() {
    const files = [...document.querySelectorAll("script[data-start]")];
    if (files.some(({ src }) => !performance.getEntriesByName(src).length)) return progress();
    const again = new URL(location);
    if (again.hash === "#again") return fail();
    again.hash = "again";
    history.replaceState(null, "", again);
    location.reload();
  }

  // anywidget gives a widget two seconds to initialise, which a busy machine exceeds.
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(Math.max(milliseconds, 60_000));

  // JupyterLab's client reconnects by itself when it can; the sentence goes when it has.
  window.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      if (!this.url.includes("/api/kernels/")) return;
      this.addEventListener("message", () => progress());
      this.addEventListener("open", () => {
        clearTimeout(lost);
        clear("lost");
      });
      this.addEventListener("close", () => {
        clearTimeout(lost);
        if (!leaving) lost = setTimeout(say, 1000, "lost");
      });
    }
  };

  // Voilà ends the kernel on beforeunload (voila-dashboards/voila#972), which a mere download fires too.
  addEventListener("beforeunload", (event) => event.stopImmediatePropagation());
  addEventListener("pagehide", () => {
    leaving = true;
    const { kernelId } = document.body.dataset;
    const token = /(?:^|; )_xsrf=([^;]*)/.exec(document.cookie);
    if (!kernelId || !token) return;
    const { baseUrl } = JSON.parse(document.getElementById("jupyter-config-data").textContent);
    const form = new FormData();
    form.append("_xsrf", token[1]);
    navigator.sendBeacon(`${baseUrl}voila/api/shutdown/${kernelId}`, form);
  });
  // Back from the browser's cache, the kernel is gone.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
})();
