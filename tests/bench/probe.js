// Notes, the same way in both builds, when a key or the pointer moved and when each plot on
// screen had been redrawn. Times are milliseconds since navigation began.

globalThis.bench = {
  key: 0,
  moves: [],
  redraws: [],
  waiting: null,

  /** Plots that have been drawn and are on screen, in the page's order. */
  plots() {
    return [...document.querySelectorAll(".js-plotly-plot")].filter((plot) => {
      const box = plot.getBoundingClientRect();
      return box.width && box.top < innerHeight && box.bottom > 0 && plot.querySelector(".trace path, .heatmaplayer image");
    });
  },

  /** Start to note redraws; returns how many plots are watched. */
  watch() {
    const plots = bench.plots();
    bench.last = plots.map(() => 0);
    plots.forEach((plot, index) => {
      const note = () => {
        // The densities come first, and their fourth trace starts 4 below μ.
        const mu = index ? null : plot._fullData[3].x[0] + 4;
        bench.last[index] = performance.now();
        bench.redraws.push([index, bench.last[index], mu]);
        bench.waiting?.();
      };
      if (plot.dataset.drawn) new MutationObserver(note).observe(plot, { attributeFilter: ["data-drawn"] });
      else plot.on("plotly_afterplot", note);
    });
    return plots.length;
  },

  /** Wait until the chosen plots show the last key press; returns for each how long it took, or null. */
  settled(which, timeout) {
    const took = () => which.map((index) => (bench.last[index] > bench.key ? bench.last[index] - bench.key : null));
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(took()), timeout);
      bench.waiting = () => {
        if (took().includes(null)) return;
        clearTimeout(timer);
        bench.waiting = null;
        resolve(took());
      };
      bench.waiting();
    });
  },
};

addEventListener("keydown", (event) => (bench.key = event.timeStamp), true);
addEventListener("pointermove", (event) => bench.moves.push([event.timeStamp, event.clientX]), true);
