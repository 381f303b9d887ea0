// What the page does before, beside and after its widgets: wait, say what went wrong, tidy up.
(() => {
  "use strict";

  const texts = JSON.parse(document.getElementById("page-texts").textContent);
  const output = 'script[type="application/vnd.voila.cell-output+json"]';
  const widget = "#app .jupyter-widgets";
  let leaving = false;
  let lost = 0;

  try {
    const theme = localStorage.getItem("explorer-theme"); // chosen in the app
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // The browser keeps nothing: the system's theme, then.
  }

  function say(text) {
    const words = document.createElement("span");
    words.textContent = text;
    const button = document.createElement("button");
    button.textContent = texts.reload;
    button.addEventListener("click", () => location.reload());
    document.getElementById("alert").replaceChildren(words, button);
  }

  function status(text) {
    const line = document.querySelector("#skeleton [role=status]");
    if (line) line.textContent = text;
  }

  // Voilà calls this while the notebook's cell takes long.
  window.voila_heartbeat = () => status(texts.slow);
  // Voilà's own cells appear at once; here the first widget replaces the skeleton.
  window.voila_finish = () => {};

  new MutationObserver((_, observer) => {
    if (!document.querySelector(widget)) return;
    document.getElementById("skeleton").remove();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });

  addEventListener("DOMContentLoaded", () => {
    if (!document.querySelector(`${output}, ${widget}`)) {
      status("");
      say(texts.failed);
    } else setTimeout(retry, 12_000);
  });

  // Once in some dozens of loads a part of Voilà's start never comes; a second load has it.
  function retry() {
    if (document.querySelector(widget)) return;
    const again = new URL(location);
    if (again.hash === "#again") {
      status("");
      return say(texts.failed);
    }
    again.hash = "again";
    history.replaceState(null, "", again);
    location.reload();
  }

  // anywidget gives a widget two seconds to start, which a busy machine exceeds: then the widget
  // is drawn, or not even that, and never answers.
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(Math.max(milliseconds, 60_000));

  // JupyterLab's client reconnects by itself when it can; the words go when it has.
  window.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      if (!this.url.includes("/api/kernels/")) return;
      this.addEventListener("open", () => {
        clearTimeout(lost);
        document.getElementById("alert").replaceChildren();
      });
      this.addEventListener("close", () => {
        clearTimeout(lost);
        if (!leaving) lost = setTimeout(say, 1000, texts.lost);
      });
    }
  };

  // Voilà ends the kernel on beforeunload, which a mere download fires too.
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
