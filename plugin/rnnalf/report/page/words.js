// The word box: a word is walked through the automaton that is shown, and the network itself is asked.

/** How words of the run's alphabet are written and read. */
class WordText {
  constructor({alphabet, shown, compact, empty}) {
    Object.assign(this, {shown, empty});
    this.symbolOf = new Map(alphabet.map((symbol, i) => [symbol, i]));
    shown.forEach((symbol, i) => { if (!this.symbolOf.has(symbol)) this.symbolOf.set(symbol, i); });
    // Symbols are written without spaces only where each is shown as one character.
    this.spaced = !compact || shown.some((name) => Array.from(name).length > 1);
  }

  write(word) {
    return word.length === 0 ? this.empty : this.inBox(word);
  }

  inBox(word) {
    return word.map((symbol) => this.shown[symbol]).join(this.spaced ? " " : "");
  }

  /** {word} or {problem}. */
  read(text) {
    const parts = this.spaced ? text.split(/\s+/u).filter(Boolean) : Array.from(text.replace(/\s/gu, ""));
    const word = [];
    for (const [i, part] of parts.entries()) {
      const symbol = this.symbolOf.get(part);
      if (symbol === undefined) return {problem: `Symbol ${i + 1}, "${part}", is not in the alphabet.`};
      word.push(symbol);
    }
    return {word};
  }

  /** A word, or the text that stands for it; words that were too long for the page are null. */
  element(word, text) {
    const whole = text && word && word.length <= 400 && text !== this.write(word) ? this.write(word) : null;
    return el("span", {class: "word", title: whole}, text || this.write(word));
  }

  hint() {
    const few = this.shown.slice(0, 40);
    return [`${this.spaced ? "Symbols, with spaces between them" : "Symbols"}: `, el("span", {class: "word"}, few.join(" ")),
      few.length < this.shown.length ? ` and ${this.shown.length - few.length} more` : ""];
  }
}

const CHIPS = 300;          // prefixes shown one by one
const AT_ONCE = 40;         // milliseconds the network may take before the page continues without it
const IN_THE_BACKGROUND = 25, BETWEEN_SIGHTS = 250;

class WordBox {
  /** automaton(): {accepting, next} of the rung shown, or null; mark(state or null, state before or null); network: NetworkWalk or null. */
  constructor({words, symbols, network, absent, recorded, automaton, mark}) {
    Object.assign(this, {words, symbols, network, absent, recorded, automaton, mark, word: null, states: []});
    byId("word").addEventListener("input", () => this.readBox());
    byId("step").addEventListener("input", (event) => this.showStep(Number(event.target.value)));
    byId("word-hint").replaceChildren(...words.hint());
    byId("word-who").textContent = network ? "The automaton and the network itself answer." : `The automaton answers, and what the run recorded: ${absent}.`;
  }

  try(word) {
    byId("word").value = this.words.inBox(word);
    this.readBox();
    byId("word").focus({preventScroll: true});
    byId("word-title").scrollIntoView({block: "nearest"});
  }

  readBox() {
    const box = byId("word"), {word, problem} = this.words.read(box.value);
    box.setAttribute("aria-invalid", problem ? "true" : "false");
    byId("word-hint").replaceChildren(...(problem ? [el("span", {class: "bad"}, problem), " "] : []), ...this.words.hint());
    this.word = problem ? null : word;
    this.show();
  }

  /** Walks the word through the automaton shown, and asks the network. */
  show() {
    const shown = this.automaton();
    byId("walk").hidden = this.word === null || !shown;
    clearTimeout(this.later);
    if (byId("walk").hidden) return this.mark(null, null);
    this.states = [0];
    for (const symbol of this.word) this.states.push(shown.next[this.states.at(-1) * this.symbols + symbol]);
    byId("step").max = this.word.length;  // before the value, which it limits
    byId("step").value = this.word.length;
    if (this.network) {
      this.network.begin(this.word);
      this.network.goOn(AT_ONCE);
    }
    this.showAnswers();
    this.showStep(this.word.length);
  }

  /** The network's answers after each prefix, as far as they are known. */
  answers() {
    if (this.network) return this.network.after;
    const known = this.recorded.get(this.word.join(","));
    return known === undefined ? [] : {[this.word.length]: {answer: known}};
  }

  showAnswers() {
    const answers = this.answers(), last = this.word.length, found = answers[last], shown = this.automaton();
    const mine = (i) => answerIn(shown, this.states[i]), differs = (i) => answers[i] && answers[i].answer !== undefined && answers[i].answer !== mine(i);
    const kind = (given) => (given === true ? "accepts" : given === false ? "rejects" : "");
    const pill = (who, given, detail) => el("span", {class: `pill ${kind(given)}`}, `${who} `, el("strong", {}, given === null ? "…" : says(given)), detail);
    const network = found && found.answer === undefined ? el("span", {class: "pill"}, "The network ", el("strong", {}, "gives no answer"), ": its numbers are not finite")
      : found ? pill("The network", found.answer, found.probability === undefined ? "" : `, p = ${probabilityText(found.probability)}`)
      : this.network ? pill("The network", null, ` ${count(answers.length - 1)} of ${counted(last, "symbol", "symbols")} read`)
        : el("span", {class: "soft"}, "The network's answer is not recorded in this run.");
    const parting = this.states.findIndex((_, i) => differs(i));
    byId("walk-text").replaceChildren(network, " ", pill("The automaton", mine(last), ""), " ",
      parting < 0 ? (found && found.answer !== undefined && this.network ? el("span", {class: "soft"}, "They agree on this word and on all its prefixes.") : "")
        : el("span", {class: "bad"}, parting === last ? "They differ on this word." : `They differ on ${parting === 0 ? "the empty word" : `the first ${counted(parting, "symbol", "symbols")}`}${differs(last) ? ", and on all of it" : ""}.`));
    const dot = (given) => typeof given === "number" ? el("span", {class: "class-name"}, className(given)) : el("span", {class: `dot ${given === undefined ? "unknown" : kind(given)}`});
    byId("chips").replaceChildren(...this.states.slice(0, CHIPS).map((q, i) => el("li", {class: differs(i) ? "differs" : null,
      onclick: () => { byId("step").value = i; this.showStep(i); }, title: `${answers[i] ? `network ${answers[i].answer === undefined ? "gives no answer" : says(answers[i].answer)}, ` : ""}automaton ${says(mine(i))}`},
    el("span", {class: "word"}, i > 0 ? this.words.shown[this.word[i - 1]] : "·"), el("span", {class: "state-name"}, `s${q}`), dot(answers[i]?.answer), dot(mine(i)))),
    this.states.length > CHIPS ? el("li", {}, `… ${counted(this.states.length - CHIPS, "step", "steps")} more`) : "");
    if (this.network && !this.network.isDone) this.goOnLater(performance.now() + BETWEEN_SIGHTS);
  }

  /** The network continues while the page can be used; what it has found is shown now and then. */
  goOnLater(nextSight) {
    this.later = setTimeout(() => {
      this.network.goOn(IN_THE_BACKGROUND);
      if (!this.network.isDone && performance.now() < nextSight) return this.goOnLater(nextSight);
      this.showAnswers();
      this.showStep(Number(byId("step").value));
    });
  }

  showStep(position) {
    [...byId("chips").children].forEach((chip, i) => chip.classList.toggle("now", i === position));
    const state = this.states[position];
    this.mark(state, position > 0 ? this.states[position - 1] : null);
    byId("step").setAttribute("aria-valuetext", `${position} of ${this.word.length} symbols, state s${state}`);
  }
}

/** Never 0 or 1 where it is not. */
function probabilityText(p) {
  if (p === 0 || p === 1) return String(p);
  if (p < 0.0001) return p.toExponential(1);
  return p > 0.9999 ? `1 − ${(1 - p).toExponential(1)}` : p.toFixed(4);
}
