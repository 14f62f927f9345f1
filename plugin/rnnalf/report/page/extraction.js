// The page of one extraction. `run` is what html_report.cpp wrote.

const run = data("run");
setClassNames(run.class_names);
const words = new WordText(run);
const view = new AutomatonView(byId("viewport"), () => showHint());
let current = run.result;  // the rung shown
let drawn = "core";        // of an automaton that is too large to be drawn whole

const rung = () => run.rungs[current];
/** Of a rung whose drawing could not be read; made once. */
const summary = () => rung().next && (rung().states > DRAWN_STATES || rung().edges.length > DRAWN_ARROWS || rung().sprawls) ? rung().summary ||= new Summary(rung(), run.shown) : null;

// ---------------------------------------------------------------- the automaton

function describe() {
  const {states, hypothesis, at} = rung(), place = `hypothesis ${count(hypothesis + 1)} of ${count(run.growth.length)}, after ${seconds(at)}`;
  const text = [el("strong", {}, counted(states, "state", "states")), `${current === run.result ? ", the result" : ""}; ${place}. `];
  if (summary()) text.push(`${summary().sentence(rung().sprawls ? "this screen" : "")} All transitions are in `, el("a", {href: "#transitions"}, "the table"), ".");
  return text;
}

/** All states of a rung. */
function wholePicture() {
  const {svg: drawing, sink, edges} = rung();
  // Graphviz has left the sink out.
  if (drawing && (sink < 0 || !byId("sinks").checked)) return graphvizPicture(drawing);
  return edges ? automatonPicture(rung(), sink, byId("sinks").checked ? -1 : sink) : summary().wholePicture();
}

function picture() {
  const large = summary();
  return large ? {core: () => large.corePicture(), parts: () => large.partsPicture(), all: wholePicture}[drawn]() : wholePicture();
}

const LOW_DRAWING = 280;  // pixels: below it there is room for the word box

/**
 * A drawing that cannot be read beside the plot gets the whole width of the page where it is larger then. Says whether it
 * would have to be moved through many boxes all the same.
 */
function makeRoomFor(drawing) {
  const size = AutomatonView.measure(drawing), stage = byId("stage"), scales = [];
  for (const wide of [false, true]) {
    stage.classList.toggle("wide", wide);
    scales.push(AutomatonView.scaleIn(byId("viewport").clientWidth, size));
  }
  stage.classList.toggle("wide", scales[0] < size.readable && scales[1] > 1.15 * scales[0]);
  stage.classList.toggle("low", scales[0] >= size.readable && size.height * scales[0] < LOW_DRAWING);
  return Math.max(...scales) * MOST_BOXES < size.readable;
}

function showHint() {
  const large = summary(), shown = rung(), hints = [];
  if (large && drawn === "core") hints.push(`Thick arrows are used most by ${large.useText()}.`);
  if (large && drawn === "parts") hints.push("A circle is a part whose states all lead to each other.");
  if (!large && shown.sink >= 0 && !byId("sinks").checked) hints.push(`s${shown.sink}, the sink, is not drawn.`);
  if (shown.next && view.isCut) hints.push("Not all of it is in sight: drag it.");
  byId("drawing-hint").textContent = hints.join(" ");
  byId("zoom-readable").hidden = !shown.next || view.isReadable;
}

function showDrawing() {
  const shown = rung();
  if (shown.next) shown.sink ??= sinkOf(shown);
  if (drawn === "all" && shown.states > DRAWN_ANYWAY) drawn = "core";
  byId("stage").classList.remove("wide", "low");
  if (shown.next) {
    let drawing = picture();
    if (makeRoomFor(drawing) && !summary() && shown.states > SPRAWLING_STATES) {
      shown.sprawls = true;
      drawing = picture();
      makeRoomFor(drawing);
    }
    view.show(drawing, `Automaton with ${counted(shown.states, "state", "states")}`);
  } else {
    byId("viewport").replaceChildren(el("p", {class: "soft"}, "This automaton is not in the page, to keep it small; --json writes it."));
  }
  const large = summary();
  byId("views").hidden = !large;
  for (const name of ["core", "parts", "all"]) byId(`view-${name}`).setAttribute("aria-pressed", String(name === drawn));
  byId("view-all").hidden = shown.states > DRAWN_ANYWAY;
  byId("sinks-label").hidden = !(shown.sink >= 0) || Boolean(large) && drawn !== "all" || !shown.edges;
  showHint();
  box.show();
}

function mark(state, from) {
  if (!rung().next) return;
  const idOf = (q) => q === null ? null : summary() ? summary().elementOf(q, view.picture) : `s${q}`;
  view.mark(idOf(state), idOf(from));
}

/** Symbols that do the same in every state are one column: [[symbol...]...]. */
function columnsOf({next}, symbols) {
  const groups = new Map();
  for (let a = 0; a < symbols; ++a) {
    let key = "";
    for (let at = a; at < next.length; at += symbols) key += `${next[at]} `;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(a);
  }
  return [...groups.values()];
}

const tablePart = {first: 0, rows: 1};  // the part of the transitions that is shown

function showTable(state) {
  const {accepting, classes, next} = rung(), symbols = run.shown.length, size = accepting.length;
  const groups = rung().columns ||= columnsOf(rung(), symbols);
  tablePart.rows = Math.max(20, Math.min(500, Math.ceil(4000 / (groups.length + 1))));
  tablePart.first = Math.floor(Math.min(size - 1, Math.max(0, state)) / tablePart.rows) * tablePart.rows;
  const end = Math.min(size, tablePart.first + tablePart.rows), states = Array.from({length: end - tablePart.first}, (_, i) => tablePart.first + i);
  const name = (q) => `s${q}${q === 0 ? ", initial" : ""}${classes ? `, class ${className(classes[q])}` : accepting[q] === "1" ? ", accepting" : ""}`;
  const label = (group) => symbolsLabel(group, run.shown), whole = (group) => group.map((a) => run.shown[a]).join(" ");
  byId("transition-table").replaceChildren(table(["state", ...groups.map((group) => el("span", {class: "word", title: whole(group)}, label(group)))],
    states.map((q) => ({class: q === state && q > 0 ? "sought" : null, cells: [name(q), ...groups.map(([a]) => `s${next[q * symbols + a]}`)]})), "Transitions"));
  const named = groups.filter((group) => label(group) !== whole(group));
  byId("table-symbols").replaceChildren(...named.flatMap((group) => [`${label(group)}: `, el("span", {class: "word"}, whole(group)), ". "]));
  byId("table-pages").hidden = size <= tablePart.rows;
  byId("table-place").textContent = `s${tablePart.first} to s${end - 1} of ${counted(size, "state", "states")}`;
  byId("table-before").disabled = tablePart.first === 0;
  byId("table-after").disabled = end === size;
  byId("table-state").max = size - 1;
  byId("transition-table").querySelector(".sought")?.scrollIntoView({block: "nearest"});
}

/** Where a link leads that says #transitions, here or in a picture. */
function goToTable() {
  if (location.hash !== "#transitions" || !rung().next) return;
  byId("transitions").open = true;
  byId("transitions").scrollIntoView();
}

/** The transitions that words use most, of an automaton that is not drawn whole. */
function showUsed() {
  const large = summary();
  byId("used-section").hidden = !large;
  if (!large) return;
  const used = large.mostUsed(12), most = used[0]?.share || 1;
  byId("used").replaceChildren(el("p", {class: "soft"}, `Share of all steps of ${large.useText()}.`),
    table(["from", "symbol", "to", "share", ""], used.map(({from, to, label, share, text}) => {
      const bar = el("span", {class: "bar"});
      bar.style.width = `${Math.max(2, 100 * share / most)}%`;
      return {cells: [`s${from}`, el("span", {class: "word"}, label), `s${to}`, text, el("span", {class: "bar-box"}, bar)]};
    }), "Most used transitions"));
}

function showRung(i, aloud) {
  current = i;
  ladder.choose(i);
  byId("word").disabled = byId("transitions").hidden = !rung().next;
  byId("transition-table").replaceChildren();
  byId("transitions").open = false;
  tablePart.first = 0;
  showDrawing();
  byId("rung-text").replaceChildren(...describe());
  showUsed();
  growth?.();
  if (aloud) announce(byId("rung-text").textContent);
}

/** On the result, about which exceptions and families speak. */
function walkOnResult(word) {
  if (current !== run.result) showRung(run.result, false);
  box.try(word);
}
const walkButton = (word, onclick) => word ? el("button", {type: "button", onclick}, "Walk it") : "";

// ---------------------------------------------------------------- lists

function showFamilies() {
  const {families} = run;
  byId("families-section").hidden = families.length === 0;
  byId("families").append(el("ul", {class: "families"}, families.map(({pattern, words: explained, prefix, loop, suffix, from, to, tried, network}) => {
    const pumped = (k) => [...prefix, ...Array.from({length: k}, () => loop).flat(), ...suffix];
    let k = from;
    const power = el("output", {}, String(k)), last = to ?? tried;
    const walk = (change) => () => {
      k = Math.max(from, Math.min(last, k + change));
      power.textContent = String(k);
      walkOnResult(pumped(k));
    };
    return el("li", {}, el("p", {}, el("span", {class: "word"}, pattern), ": the network ", el("strong", {class: network === true ? "accepts" : network === false ? "rejects" : null}, says(network)),
      el("span", {class: "soft"}, explained > 1 ? ` · explains ${counted(explained, "word", "words")}` : "")),
    el("div", {class: "row"}, el("button", {type: "button", onclick: walk(0)}, "Walk it"),
      last > from ? [el("span", {class: "soft"}, "k = ", power), el("button", {type: "button", "aria-label": "One loop less", onclick: walk(-1)}, "−"),
        el("button", {type: "button", "aria-label": "One loop more", onclick: walk(1)}, "+")] : null));
  })));
}

function showCounterexamples() {
  const {counterexamples} = run;
  byId("counterexamples-section").hidden = counterexamples.length === 0;
  const withParts = counterexamples.some(({how}) => how), withTarget = counterexamples.some(({target}) => target !== null);
  const isError = ({network, target}) => target !== null && target !== network;
  const errors = counterexamples.filter(isError).length;
  byId("counterexamples").append(el("p", {class: "soft"}, `What the learner was given, in order.${errors ? ` In bold, marked with !: the network's errors, where it differs from the target (${count(errors)}).` : ""}`),
    el("div", {class: "scroll", tabindex: "0"}, table(["#", "word", "", "length", "network", ...(withTarget ? ["target"] : []), "oracle", ...(withParts ? ["made of"] : []), "found in"],
      counterexamples.map((record, i) => ({class: isError(record) ? "error" : null, cells: [
        `${isError(record) ? "!\u00a0" : ""}${i + 1}`, words.element(record.word, record.text), walkButton(record.word, () => box.try(record.word)), record.length, answer(record.network),
        ...(withTarget ? [record.target === null ? "" : answer(record.target)] : []), record.oracle,
        ...(withParts ? [el("span", {class: "word"}, record.how)] : []), seconds(record.seconds)]})), "Counterexamples")));
}

function showLists() {
  byId("checked-section").hidden = run.evidence.length === 0;
  const sign = {"none found": ["✓", "good"], refuted: ["✗", "bad"], stopped: ["…", "soft"]};
  byId("evidence").append(el("ul", {class: "checks"}, run.evidence.map(({oracle, claim, end}) => el("li", {},
    el("span", {class: sign[end][1], title: end}, sign[end][0]), el("span", {}, el("strong", {}, oracle), ` ${claim}`)))));
  for (const [name, text] of Object.entries(run.facts)) byId("facts").append(el("dt", {}, name), el("dd", {}, text));
  byId("advice").textContent = run.advice;
  byId("differences").textContent = run.differences;
  byId("agreement-rows").append(table(["words", "number", "agree"], run.agreement.map((cells) => ({cells})), "Agreement of the result with the network"));
  byId("exceptions-section").hidden = run.exceptions.length === 0;
  byId("exceptions").append(el("div", {class: "scroll", tabindex: "0"}, table(["word", "", "network", run.classes > 2 ? "p" : "p of accept"], run.exceptions.map(({word, text, network, probability}) =>
    ({cells: [words.element(word, text), walkButton(word, () => walkOnResult(word)), answer(network), probabilityText(probability)]})), "Exceptions")));
  for (const [name, value] of Object.entries(run.options)) {
    byId("options").append(el("dt", {}, name), el("dd", {class: "word"}, Array.isArray(value) ? value.join(", ") : String(value)));
  }
  byId("command").textContent = run.command;
  copyButton(byId("copy"), byId("command"));
  byId("footer").textContent = run.footer;
}

// ---------------------------------------------------------------- growth and R-states

let growth = null;
function showGrowth() {
  byId("growth-section").hidden = run.growth.length < 2;
  if (run.growth.length < 2) return;
  byId("growth-text").textContent = `${counted(run.growth.length, "hypothesis", "hypotheses")} of the learner; ${run.rungs.length > 1 ? "dots are the automata listed above" : "the dot is the result"}.`;
  byId("growth-numbers").replaceChildren(plotNumbers(["hypothesis", "seconds", "states"], run.growth.map(([x, y], i) => [i + 1, x, y]), "Growth over time"));
  growth = drawnToWidth(byId("growth"), (width) => byId("growth").replaceChildren(
    linePlot({title: `States of the hypotheses over time, from ${run.growth[0][1]} to ${run.growth.at(-1)[1]}`, xTitle: "seconds", yTitle: "states",
      width, height: 300, series: [{name: "hypotheses", points: run.growth, steps: true, chosen: true, class: "colour-0", marks: run.rungs.map(({hypothesis}) => hypothesis)}]})));
}

let points = null;
function showPoints() {
  byId("points-section").hidden = !run.points;
  if (!run.points) return;
  const [first, second] = run.points.variance.map((share) => `${(share * 100).toFixed(1)} %`), {length} = run.points.x;
  byId("points-text").textContent = `${counted(length, "R-state", "R-states")}${length < run.points.seen ? ` of ${count(run.points.seen)}` : ""} that the run saw, along the two directions of largest variance (${first} and ${second} of it).`;
  byId("points-key").hidden = run.classes > 2;
  points = new PointView(byId("points"), run.points, (word) => words.write(word));
  byId("colouring").addEventListener("change", (event) => {
    points.setColouring(event.target.value);
    byId("points-key").hidden = run.classes > 2 || event.target.value !== "accepted";
  });
}

// ---------------------------------------------------------------- the page

document.title = run.title;
byId("title").textContent = run.file;
byId("verdict").textContent = run.sentence;
byId("verdict").classList.add(run.unrefuted ? "good" : "caution");
byId("target").textContent = run.target;
byId("meaning").textContent = run.findings.join(" ");

// Where the network is not in the page, the answers that the run recorded.
const recorded = new Map();
if (run.points) run.points.word.forEach((word, i) => recorded.set(word.join(","), answerAt(run.points, i)));
for (const {word, network} of [...run.exceptions, ...run.counterexamples]) {
  if (word) recorded.set(word.join(","), network);
}
const network = run.network.absent ? null : new NetworkWalk(new PageNetwork(run.network), run.empty_word);
const box = new WordBox({words, symbols: run.shown.length, network, absent: run.network.absent, recorded, mark,
  automaton: () => (rung().next ? rung() : null)});
const ladder = new LadderView({rungs: run.rungs, result: run.result, ladder: byId("ladder"), plot: byId("agreement"), readout: byId("agreement-detail"),
  numbers: byId("agreement-numbers"), onChoose: showRung});
byId("ladder-section").hidden = run.rungs.length < 2;
byId("agreement-section").hidden = !ladder.measured;
if (!ladder.measured) byId("agreement-section").after(byId("growth-section"));  // there is room for it
showFamilies();
showLists();
showCounterexamples();
showGrowth();
showPoints();

byId("zoom-in").addEventListener("click", () => view.zoom(1.25));
byId("zoom-out").addEventListener("click", () => view.zoom(0.8));
byId("zoom-fit").addEventListener("click", () => view.showAll());
byId("zoom-readable").addEventListener("click", () => view.begin());
for (const name of ["core", "parts", "all"]) {
  byId(`view-${name}`).addEventListener("click", () => {
    drawn = name;
    showDrawing();
  });
}
byId("sinks").addEventListener("change", showDrawing);
byId("transitions").addEventListener("toggle", () => { if (byId("transitions").open && rung().next) showTable(tablePart.first); });
byId("table-before").addEventListener("click", () => showTable(tablePart.first - 1));
byId("table-after").addEventListener("click", () => showTable(tablePart.first + tablePart.rows));
byId("table-state").addEventListener("change", (event) => { if (event.target.value !== "") showTable(Number(event.target.value)); });
addEventListener("hashchange", goToTable);
byId("rung-text").addEventListener("click", (event) => { if (event.target.hash === "#transitions") setTimeout(goToTable); });  // a second time, too
themeButton(byId("theme"), () => { if (points) points.draw(); });
showRung(run.result, false);
goToTable();
