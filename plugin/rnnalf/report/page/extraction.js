// The page of one extraction. `run` is what html_report.cpp wrote.

const run = data("run");
const symbolOf = new Map(run.alphabet.map((symbol, i) => [symbol, i]));
run.shown.forEach((symbol, i) => { if (!symbolOf.has(symbol)) symbolOf.set(symbol, i); });
const shownWord = (word) => word.length === 0 ? run.empty : word.map((symbol) => run.shown[symbol]).join(spaced ? " " : "");
/** A word, or the text that stands for it; words that were too long for the page are null. */
const wordElement = (word, text) => el("span", {class: "word", title: text && word && word.length <= 400 && text !== shownWord(word) ? shownWord(word) : null}, text || shownWord(word));
// Symbols are written without spaces only where each is shown as one character.
const spaced = !run.compact || run.shown.some((name) => Array.from(name).length > 1);
const wordKey = (word) => word.join(",");

// The network's answers that the run recorded.
const recorded = new Map();
if (run.points) run.points.word.forEach((word, i) => recorded.set(wordKey(word), answerAt(run.points, i)));
for (const {word, network} of [...run.exceptions, ...run.counterexamples]) {
  if (word) recorded.set(wordKey(word), network);
}

// ---------------------------------------------------------------- hypotheses

const view = new AutomatonView(byId("viewport"));
let current = run.recommended;  // the hypothesis shown
let walk = null;                // {word, states}: what the word box says

const hypothesis = () => run.hypotheses[current];
const symbols = run.alphabet.length;
const next = (q, symbol) => hypothesis().next[q * symbols + symbol];

function describe(i) {
  const {states, at, refuted_by: refuted} = run.hypotheses[i];
  const parts = [`Hypothesis ${i + 1} of ${run.hypotheses.length}: ${counted(states, "state", "states")}, after ${seconds(at)}. `];
  if (i === run.recommended) parts.push(el("strong", {}, "The result. "));
  if (refuted === null) {
    parts.push(run.verdict === "none-found" ? "Nothing refuted it." : "No counterexample was found before the run ended.");
  } else {
    const {word, text, network, oracle} = run.counterexamples[refuted];
    parts.push("Refuted by ", wordElement(word, text), `, which the network ${says(network)}, found by ${oracle}. `,
      word ? el("button", {type: "button", onclick: () => tryWord(word)}, "Walk it") : "");
  }
  return parts;
}

function showTable() {
  const {accepting, classes, next: to} = hypothesis();
  const rows = [];
  for (let q = 0; q < accepting.length; ++q) {
    rows.push({cells: [`s${q}${q === 0 ? ", initial" : ""}${classes ? `, class ${classes[q]}` : accepting[q] === "1" ? ", accepting" : ""}`,
      ...run.shown.map((_, a) => `s${to[q * symbols + a]}`)]});
  }
  byId("transition-table").replaceChildren(table(["state", ...run.shown.map((name) => el("span", {class: "word"}, name))], rows, "Transitions"));
}

function showHypothesis(i, aloud) {
  current = i;
  const shown = hypothesis();
  byId("hypothesis").value = i;
  byId("hypothesis").setAttribute("aria-valuetext", `${i + 1} of ${run.hypotheses.length}, ${counted(shown.states, "state", "states")}`);
  byId("hypothesis-text").replaceChildren(...describe(i));
  byId("previous").disabled = i === 0;
  byId("following").disabled = i + 1 === run.hypotheses.length;
  byId("word").disabled = byId("transitions").hidden = !shown.next;
  byId("transition-table").replaceChildren();
  byId("transitions").open = false;
  if (shown.next) {
    view.show(shown.svg ? graphvizPicture(shown.svg) : layeredPicture(shown), `Automaton with ${counted(shown.states, "state", "states")}`);
  } else {
    byId("viewport").replaceChildren(el("p", {class: "soft"}, "This hypothesis is not in the page, to keep it small. The JSON of the run has it."));
  }
  byId("sinks-label").hidden = !byId("viewport").querySelector(".state.sink");
  showWalk();
  showGrowth();
  showAgreement();
  if (aloud) announce(byId("hypothesis-text").textContent);
}

// ---------------------------------------------------------------- the word box

function parseWord(text) {
  const parts = spaced ? text.split(/\s+/u).filter(Boolean) : Array.from(text.replace(/\s/gu, ""));
  const word = [];
  for (const [i, part] of parts.entries()) {
    const symbol = symbolOf.get(part);
    if (symbol === undefined) return {problem: `Symbol ${i + 1}, "${part}", is not in the alphabet.`};
    word.push(symbol);
  }
  return {word};
}

function alphabetHint() {
  const few = run.shown.slice(0, 40);
  return [`${spaced ? "Symbols, with spaces between them" : "Symbols"}: `, el("span", {class: "word"}, few.join(" ")),
    few.length < run.shown.length ? ` and ${run.shown.length - few.length} more` : ""];
}

function readWord() {
  const box = byId("word");
  const {word, problem} = parseWord(box.value);
  box.setAttribute("aria-invalid", problem ? "true" : "false");
  byId("word-hint").replaceChildren(...(problem ? [el("span", {class: "bad"}, problem), " ", ...alphabetHint()] : alphabetHint()));
  walk = problem ? null : {word};
  showWalk();
}

function tryWord(word) {
  byId("word").value = word.map((symbol) => run.shown[symbol]).join(spaced ? " " : "");
  readWord();
  byId("word").focus();
}

function showWalk() {
  byId("walk").hidden = !walk || !hypothesis().next;
  if (byId("walk").hidden) {
    if (hypothesis().next) view.mark(null, null);
    return;
  }
  walk.states = [0];
  for (const symbol of walk.word) walk.states.push(next(walk.states.at(-1), symbol));
  const given = answerIn(hypothesis(), walk.states.at(-1));
  const known = recorded.get(wordKey(walk.word));
  byId("walk-text").replaceChildren("The automaton ", el("strong", {}, says(given)), " ", wordElement(walk.word, walk.word.length > 60 ? `${counted(walk.word.length, "symbol", "symbols")}` : null), "; ",
    known === undefined ? "the network's answer is not recorded in this run."
      : el("span", {class: known === given ? null : "bad"}, `the network ${says(known)}${run.classes > 2 ? "." : " it."}`));
  byId("step").max = walk.word.length;
  byId("step").value = walk.word.length;
  byId("chips").replaceChildren(...walk.states.slice(0, 300).map((q, i) => el("li", {},
    i > 0 ? el("span", {class: "word"}, `${run.shown[walk.word[i - 1]]} → `) : "", `s${q}`)),
  walk.states.length > 300 ? el("li", {}, `… ${counted(walk.states.length - 300, "step", "steps")} more`) : "");
  showStep(walk.word.length);
}

function showStep(position) {
  [...byId("chips").children].forEach((chip, i) => chip.classList.toggle("now", i === position));
  const state = walk.states[position];
  view.mark(state, position > 0 ? walk.states[position - 1] : null);
  byId("step").setAttribute("aria-valuetext", `${position} of ${walk.word.length} symbols, state s${state}`);
}

// ---------------------------------------------------------------- plots

function showGrowth() {
  const points = run.hypotheses.map(({at, states}) => [Number(at.toPrecision(4)), states]);
  byId("growth").replaceChildren(
    linePlot({title: `States of the hypotheses over time, from ${points[0][1]} to ${points.at(-1)[1]}`, xTitle: "seconds", yTitle: "states",
      series: [{name: "hypothesis", points, steps: true, chosen: current}], onPick: (i) => showHypothesis(i, true)}),
    plotNumbers(["hypothesis", "seconds", "states"], points.map(([x, y], i) => [i + 1, x, y]), "Growth over time"));
}

function showAgreement() {
  const line = (i) => (run.hypotheses[i].agreement || []).map(([length, share]) => [length, share]);
  const chosen = line(current), result = line(run.recommended);
  const box = byId("agreement");
  if (chosen.length + result.length === 0) {
    box.replaceChildren(el("p", {class: "soft"}, "Not estimated in this run."));
    return;
  }
  const lowest = Math.min(...[...chosen, ...result].map(([, share]) => share));
  const series = [{name: "result", points: result, class: "other"}];
  if (current !== run.recommended) series.push({name: `hypothesis ${current + 1}`, points: chosen});
  box.replaceChildren(
    linePlot({title: "Share of words on which hypothesis and network agree, by length", xTitle: "word length", yTitle: "agreement",
      series: series.filter(({points}) => points.length), range: {y: [lowest > 0.9 ? Math.floor(lowest * 100 - 1) / 100 : lowest > 0.5 ? 0.5 : 0, 1]}}),
    el("p", {class: "soft"}, current === run.recommended ? "The result." : `Dashed: the result. Line: hypothesis ${current + 1}.`),
    plotNumbers(["word length", "result", `hypothesis ${current + 1}`],
      result.map(([length, share], i) => [length, share, chosen[i] ? chosen[i][1] : ""]), "Agreement by word length"));
}

// ---------------------------------------------------------------- everything else

function showLists() {
  byId("evidence").append(run.evidence.length ? table(["oracle", "words", "claim"],
    run.evidence.map(({oracle, words_tested: tested, claim}) => ({cells: [oracle, tested, claim]})), "What was checked")
    : el("p", {class: "soft"}, "The run ended before an equivalence query did."));
  for (const [name, text] of run.facts) byId("facts").append(el("dt", {}, name), el("dd", {}, text));
  if (run.suggestions.length) {
    byId("suggestions").append(el("h2", {}, "What to try next"), el("ul", {}, run.suggestions.map((text) => el("li", {}, text))));
  }
  const withParts = run.counterexamples.some(({how}) => how);
  const withTarget = run.counterexamples.some(({target}) => target !== null);
  const isError = ({network, target}) => target !== null && target !== network;
  const errors = run.counterexamples.filter(isError).length;
  byId("counterexamples").append(run.counterexamples.length === 0 ? el("p", {class: "soft"}, "None was needed.") : el("div", {}, 
    errors ? el("p", {}, `In bold, marked with !: the network's errors, where it differs from the target (${count(errors)}).`) : null,
    el("div", {class: "scroll", tabindex: "0"}, table(["#", "word", "length", "network", ...(withTarget ? ["target"] : []), "oracle", ...(withParts ? ["made of"] : []), "found in", ""],
      run.counterexamples.map((record, i) => ({class: isError(record) ? "error" : null, cells: [
        `${isError(record) ? "! " : ""}${i + 1}`, wordElement(record.word, record.text), record.length, answer(record.network),
        ...(withTarget ? [record.target === null ? "" : answer(record.target)] : []), record.oracle, ...(withParts ? [el("span", {class: "word"}, record.how)] : []), seconds(record.seconds),
        !record.word ? "" : el("button", {type: "button", "aria-label": `Show what counterexample ${i + 1} refuted`, onclick: () => {
          const refuted = run.hypotheses.findIndex(({refuted_by: by}) => by === i);
          if (refuted >= 0) showHypothesis(refuted, false);
          tryWord(record.word);
          byId("automaton-title").scrollIntoView();
        }}, "Show")]})), "Counterexamples"))));
  if (run.exceptions.length) {
    byId("exceptions-section").hidden = false;
    byId("exceptions").append(el("div", {class: "scroll", tabindex: "0"}, table(["word", "network", run.classes > 2 ? "probability" : "probability of accept", ""], run.exceptions.map(({word, text, network, probability}) =>
      ({cells: [wordElement(word, text), answer(network), probability.toFixed(6), !word ? "" : el("button", {type: "button", onclick: () => {
        showHypothesis(run.recommended, false);
        tryWord(word);
        byId("automaton-title").scrollIntoView();
      }}, "Walk it")]})), "Exceptions")));
  }
  for (const [name, value] of Object.entries(run.options)) {
    byId("options").append(el("dt", {}, name), el("dd", {class: "word"}, Array.isArray(value) ? value.join(", ") : String(value)));
  }
  byId("command").textContent = run.command;
  copyButton(byId("copy"), byId("command"));
  byId("footer").textContent = run.footer;
}

document.title = run.title;
byId("title").textContent = run.title;
byId("verdict").textContent = run.sentence;
byId("verdict").classList.add(run.verdict === "none-found" ? "good" : "caution");
byId("meaning").textContent = run.meaning;
byId("word-hint").replaceChildren(...alphabetHint());
showLists();

let points = null;
if (run.points) {
  byId("points-section").hidden = false;
  const [first, second] = run.points.variance.map((share) => `${(share * 100).toFixed(1)} %`);
  byId("points-text").textContent = `${counted(run.points.x.length, "R-state", "R-states")}${run.points.x.length < run.points.seen ? ` of ${count(run.points.seen)}` : ""} that the run saw, along the two directions of largest variance (${first} and ${second} of it).`;
  points = new PointView(byId("points"), run.points, shownWord);
  byId("colouring").addEventListener("change", (event) => points.setColouring(event.target.value));
}

byId("hypothesis").max = run.hypotheses.length - 1;
byId("hypothesis").addEventListener("input", (event) => showHypothesis(Number(event.target.value), false));
byId("previous").addEventListener("click", () => showHypothesis(current - 1, true));
byId("following").addEventListener("click", () => showHypothesis(current + 1, true));
byId("result").addEventListener("click", () => showHypothesis(run.recommended, true));
byId("zoom-in").addEventListener("click", () => view.zoom(1.25));
byId("zoom-out").addEventListener("click", () => view.zoom(0.8));
byId("zoom-fit").addEventListener("click", () => view.fit());
byId("sinks").addEventListener("change", (event) => byId("viewport").classList.toggle("without-sinks", event.target.checked));
byId("transitions").addEventListener("toggle", () => { if (byId("transitions").open) showTable(); });
byId("word").addEventListener("input", readWord);
byId("step").addEventListener("input", (event) => showStep(Number(event.target.value)));
themeButton(byId("theme"), () => { if (points) points.draw(); });
showHypothesis(run.recommended, false);
