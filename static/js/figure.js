// Figures: Plotly is fetched when the first figure is wanted, after the page is there.

const QUIET = { displayModeBar: false, displaylogo: false, showSendToCloud: false, plotlyServerURL: "", typesetMath: false, responsive: true };

let loading = null;

function plotly({ address, styleIds }) {
  loading ??= new Promise((resolve, reject) => {
    for (const id of styleIds) document.head.append(Object.assign(document.createElement("meta"), { id }));
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      loading = null;
      reject(new Error("plotly"));
    };
    document.head.append(script);
  });
  return loading;
}

const theme = () => (getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light");

/** Draw every figure that is on the page and not yet drawn. */
export function drawFigures(data) {
  for (const box of document.querySelectorAll("[data-figure]")) {
    if (!box.dataset.drawn) draw(box, data);
  }
}

/** A figure; what is too long for an address is posted. */
function ask(address, longest) {
  if (address.length <= longest) return fetch(address);
  const [path, query] = address.split("?");
  return fetch(path, { method: "POST", body: new URLSearchParams(query) });
}

async function draw(box, data) {
  box.dataset.drawn = "1";
  try {
    const [library, figure] = await Promise.all([
      plotly(data.plotly),
      ask(`${box.dataset.figure}&theme=${theme()}`, data.longest).then((response) => (response.ok ? response.json() : Promise.reject(new Error("figure")))),
    ]);
    if (!box.isConnected) return;
    box.replaceChildren();
    await library.newPlot(box, figure.data, figure.layout, QUIET);
    box.dataset.ready = "1";
    box.on("plotly_click", (event) => {
      const point = event.points[0];
      const cell = [...point.data.meta.lead, point.pointIndex[0], point.pointIndex[1]].join(",");
      document.dispatchEvent(new CustomEvent("figure-cell", { detail: `${point.data.meta.step}[${cell}]` }));
    });
  } catch {
    if (!box.isConnected) return;
    box.textContent = data.plotlyFailed;
    document.dispatchEvent(new CustomEvent("figure-missed"));
  }
}
