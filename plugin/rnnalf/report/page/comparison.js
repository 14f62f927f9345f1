// The page of a comparison. The data are what comparison_html.cpp wrote.

const comparison = data("run");
const networks = [...new Set(comparison.cells.map(({network}) => network))];
const several = (name) => new Set(comparison.cells.map((cell) => cell[name])).size > 1;

// What all runs have in common is said once, above the table.
const settings = ["learner", "oracle", "method", "seed"];
const columns = [
  ...(networks.length > 1 ? ["network"] : []), ...settings.filter(several),
  "verdict", "states", "seconds", "membership_queries", "equivalence_queries", "rnn_steps", "counterexamples", "agreement",
];
const title = (column) => ({membership_queries: "membership queries", equivalence_queries: "equivalence queries", rnn_steps: "network steps"})[column] || column;

let sorting = {column: null, down: false};
const value = (cell, column) => column === "verdict" ? cell.verdict || cell.failure : cell[column];

function text(cell, column) {
  const found = value(cell, column);
  if (found === null || found === undefined) return "";
  if (column === "seconds") return found.toFixed(found < 10 ? 2 : 1);
  if (column === "agreement") return found.toFixed(4);
  return typeof found === "number" ? count(found) : found;
}

function showCells() {
  const chosen = byId("network").value;
  const rows = comparison.cells.filter((cell) => chosen === "" || cell.network === networks[Number(chosen)]);
  if (sorting.column) {
    // Runs without the number come last, whichever the direction; equal ones keep their order.
    const sign = sorting.down ? -1 : 1;
    rows.sort((a, b) => {
      const [x, y] = [value(a, sorting.column), value(b, sorting.column)];
      const missing = (v) => v === null || v === undefined;
      if (missing(x) || missing(y)) return missing(x) - missing(y);
      return sign * (typeof x === "number" ? x - y : x.localeCompare(y));
    });
  }
  const isNumber = (column) => comparison.cells.some((cell) => typeof value(cell, column) === "number");
  byId("cells").replaceChildren(el("table", {}, el("caption", {class: "hidden-text"}, "All runs"),
    el("thead", {}, el("tr", {}, columns.map((column) => el("th", {scope: "col", class: isNumber(column) ? "number" : null,
      "aria-sort": sorting.column !== column ? "none" : sorting.down ? "descending" : "ascending"},
    el("button", {type: "button", "data-column": column, onclick: () => sortBy(column)}, title(column),
      sorting.column !== column ? "" : sorting.down ? " ▼" : " ▲"))))),
    el("tbody", {}, rows.map((cell) => el("tr", {}, columns.map((column) => el("td",
      {class: `${isNumber(column) ? "number" : ""}${column === "verdict" && cell.failure ? " bad" : ""}`}, text(cell, column))))))));
}

function sortBy(column) {
  sorting = {column, down: sorting.column === column && !sorting.down};
  showCells();
  byId("cells").querySelector(`button[data-column="${column}"]`).focus();
  announce(`Sorted by ${title(column)}, ${sorting.down ? "descending" : "ascending"}`);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The runs of a network, together by what differs between them except for the seed. */
function configurations(network) {
  const names = settings.filter((name) => name !== "seed" && several(name));
  const groups = new Map();
  for (const cell of comparison.cells) {
    if (cell.network !== network || cell.failure) continue;
    const name = names.map((setting) => cell[setting]).join(" · ") || cell.learner;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(cell);
  }
  return [...groups].map(([name, cells]) => ({name, limited: cells.some(({verdict}) => verdict !== "none-found"),
    seconds: median(cells.map((cell) => cell.seconds)), states: median(cells.map((cell) => cell.states))}));
}

function showPlots() {
  for (const network of networks) {
    const groups = configurations(network);
    if (groups.length === 0) continue;
    const bars = (number) => groups.map((group) => ({name: group.name, value: group[number], striped: group.limited}));
    byId("plots").append(el("h3", {}, network), el("div", {class: "columns"},
      el("div", {}, barPlot({title: `Seconds of the extractions from ${network}`, axis: "seconds", bars: bars("seconds")})),
      el("div", {}, barPlot({title: `States of the results from ${network}`, axis: "states", bars: bars("states")}))),
    plotNumbers(["configuration", "seconds", "states"], groups.map(({name, seconds: time, states}) => [name, time.toFixed(2), states]), network));
  }
}

const failures = comparison.cells.filter(({failure}) => failure).length;
byId("summary").textContent = `${counted(comparison.cells.length, "run", "runs")} over ${counted(networks.length, "network", "networks")}${failures ? `, ${count(failures)} without a result` : ""}. ` +
  settings.filter((name) => !several(name) && comparison.cells.length).map((name) => `${name}: ${comparison.cells[0][name]}`).join("; ");
byId("network").append(el("option", {value: ""}, "all"), ...networks.map((name, i) => el("option", {value: i}, name)));
byId("network").addEventListener("change", showCells);
byId("command").textContent = comparison.command;
copyButton(byId("copy"), byId("command"));
byId("footer").textContent = comparison.footer;
themeButton(byId("theme"), () => {});
showCells();
showPlots();
