// The page of a comparison. The data are what comparison_html.cpp wrote.

const comparison = data("run");
const networks = [...new Set(comparison.cells.map(({network}) => network))];
const known = (found) => found !== null && found !== undefined && found !== "";
const several = (name) => new Set(comparison.cells.map((cell) => cell[name]).filter(known)).size > 1;  // baselines have no learner

// What all runs have in common stands once, above the table; what no run has is left out.
const settings = ["method", "learner", "oracle", "seed"];
const results = ["verdict", "states", "last_states", "seconds", "agreement", "coverage", "words_agreement", "equals_target",
  "milestone", "counterexamples", "membership_queries", "equivalence_queries", "rnn_steps"];
const columns = [
  ...(networks.length > 1 ? ["network"] : []), ...settings.filter(several),
  ...results.filter((name) => comparison.cells.some((cell) => known(cell[name]))
    && (name !== "coverage" || comparison.cells.some(({coverage}) => coverage < 1))
    && (name !== "last_states" || comparison.cells.some((cell) => cell.last_states !== cell.states))),
];
const title = (column) => ({
  last_states: "last hypothesis", membership_queries: "membership queries", equivalence_queries: "equivalence queries",
  rnn_steps: "network steps", words_agreement: "on words", equals_target: "equals target",
})[column] || column;
/** Where a long title may be broken, so that the table is narrow. */
const breakable = (name) => name.replace("counterex", "counter\u00adex").replace("membership", "member\u00adship").replace("equivalence", "equiv\u00adalence").replace("hypothesis", "hypo\u00adthesis");

let sorting = {column: null, down: false};

// ---------------------------------------------------------------- names of oracles

// Chains of oracles are long, and begin and end alike: they are called A, B, ... as in the table of text.
const LONG_ORACLE = 16;
const letters = (n) => (n >= 26 ? letters(Math.floor(n / 26) - 1) : "") + String.fromCharCode(65 + n % 26);
const oracles = [...new Set(comparison.cells.map((cell) => cell.oracle).filter(known))];
const usesLetters = oracles.length > 1 && oracles.some((oracle) => Array.from(oracle).length > LONG_ORACLE);
const oracleNames = new Map(oracles.map((oracle, i) => [oracle, usesLetters ? letters(i) : oracle]));

// ---------------------------------------------------------------- the best run of each network

/** Above all the share of words on which both agree, of uniform and given words the lower one; then few states, then little time. */
function isBetter(a, b) {
  const share = (cell) => Math.min(...[cell.agreement, cell.words_agreement].filter(known), 1) * (known(cell.coverage) ? cell.coverage : 1);
  return share(a) - share(b) || b.states - a.states || b.seconds - a.seconds;
}
const isMeasured = comparison.cells.some(({agreement, words_agreement: given}) => known(agreement) || known(given));
const best = new Set(networks.map((network) => comparison.cells.filter((cell) => cell.network === network)
  .reduce((winner, cell) => isBetter(cell, winner) > 0 ? cell : winner)));
const marksBest = isMeasured && best.size < comparison.cells.length;

// ---------------------------------------------------------------- the table

function text(cell, column) {
  const found = cell[column];
  if (!known(found)) return "";
  if (column === "seconds") return found.toFixed(found < 10 ? 2 : 1);
  // Rounded down, so that 100 % means all; the small number undoes rounding of the share.
  if (["agreement", "coverage", "words_agreement"].includes(column)) return `${(Math.floor(found * 1e4 + 1e-6) / 100).toFixed(2)} %`;
  if (typeof found === "boolean") return found ? "yes" : "no";
  if (column === "oracle") return el("span", {title: found}, oracleNames.get(found));
  return typeof found === "number" ? count(found) : found;
}

function showCells() {
  const chosen = byId("network").value;
  const rows = comparison.cells.filter((cell) => chosen === "" || cell.network === networks[Number(chosen)]);
  if (sorting.column) {
    // Runs without the number come last, whichever the direction; equal ones keep their order.
    const sign = sorting.down ? -1 : 1;
    rows.sort((a, b) => {
      const [x, y] = [a[sorting.column], b[sorting.column]];
      if (!known(x) || !known(y)) return known(y) - known(x);
      return sign * (typeof x === "string" ? x.localeCompare(y, "en", {numeric: true}) : x - y);
    });
  }
  const isNumber = (column) => comparison.cells.some((cell) => typeof cell[column] === "number");
  byId("cells").replaceChildren(el("table", {}, el("caption", {class: "hidden-text"}, "All runs"),
    el("thead", {}, el("tr", {}, columns.map((column) => el("th", {scope: "col", class: isNumber(column) ? "number" : null,
      "aria-sort": sorting.column !== column ? "none" : sorting.down ? "descending" : "ascending"},
    el("button", {type: "button", "data-column": column, onclick: () => sortBy(column)}, breakable(title(column)),
      sorting.column !== column ? "" : sorting.down ? " ▼" : " ▲"))))),
    el("tbody", {}, rows.map((cell) => el("tr", {class: marksBest && best.has(cell) ? "best" : null}, columns.map((column, i) => el("td",
      {class: isNumber(column) ? "number" : "short"}, marksBest && best.has(cell) && i === 0 ? el("span", {title: "best of its network"}, "★ ") : null, text(cell, column))))))));
  showSideways();
}

/** Says so where the table is wider than its box. */
function showSideways() {
  byId("sideways").hidden = byId("cells").scrollWidth <= byId("cells").clientWidth;
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
    if (cell.network !== network) continue;
    // A baseline is its method; for all others the method is no news.
    const parts = cell.learner ? names.filter((name) => name !== "method") : ["method"];
    const name = parts.map((setting) => setting === "oracle" ? oracleNames.get(cell.oracle) : cell[setting]).filter(known).join(" · ") || cell.learner || cell.method;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(cell);
  }
  return [...groups].map(([name, cells]) => ({name, limited: cells.some(({verdict}) => !["none-found", "settled", "complete"].includes(verdict)),
    seconds: median(cells.map((cell) => cell.seconds)), states: median(cells.map((cell) => cell.states))}));
}

function showPlots() {
  for (const network of networks) {
    const groups = configurations(network);
    const bars = (number) => groups.map((group) => ({name: group.name, value: group[number], striped: group.limited}));
    const plot = (title, axis) => {
      const box = el("div", {});
      drawnToWidth(box, (width) => box.replaceChildren(barPlot({title: `${title} ${network}`, axis, bars: bars(axis), width})));
      return box;
    };
    const content = [el("div", {class: "columns"},
      plot("Seconds of the extractions from", "seconds"), plot("States of the results from", "states")),
    plotNumbers(["configuration", "seconds", "states"], groups.map(({name, seconds: time, states}) => [name, time.toFixed(2), states]), network)];
    // Long ones are opened by those who want them: what comes after should be found, too.
    byId("plots").append(...(groups.length > 20 ? [el("details", {}, el("summary", {}, network), ...content)] :
      [el("h3", {}, network), ...content]));
  }
}

const common = settings.filter((name) => !several(name) && comparison.cells.some((cell) => known(cell[name]))).map((name) => {
  const all = comparison.cells.every((cell) => known(cell[name]));
  return `${name} ${comparison.cells.map((cell) => cell[name]).find(known)}${all ? "" : " where there is one"}`;
}).join("; ");
byId("summary").textContent = `${counted(comparison.cells.length, "run", "runs")} over ${counted(networks.length, "network", "networks")}.` +
  (common ? ` All: ${networks.length === 1 ? `network ${networks[0]}; ` : ""}${common}.` : "");
byId("measured").textContent = comparison.measured;
byId("network").append(el("option", {value: ""}, "all"), ...networks.map((name, i) => el("option", {value: i}, name)));
byId("network").addEventListener("change", showCells);
byId("best").textContent = marksBest ? "★ The best run of each network: most agreement, then fewest states, then least time." : "";
byId("oracles").hidden = !usesLetters;
byId("oracle-names").append(...[...oracleNames].flatMap(([name, letter]) => [el("dt", {}, letter), el("dd", {class: "word"}, name)]));
new ResizeObserver(showSideways).observe(byId("cells"));
byId("command").textContent = comparison.command;
copyButton(byId("copy"), byId("command"));
byId("footer").textContent = comparison.footer;
themeButton(byId("theme"), () => {});
showCells();
showPlots();
