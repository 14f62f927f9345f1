// The network itself, asked in the page: the program's answers, bit for bit (network/step_graph.hpp has
// the rules of its arithmetic). The data are what page_network.cpp wrote.

/** Numbers from base64: little end first, floats behind an f, doubles behind a d. */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.slice(1)), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer), size = text[0] === "f" ? 4 : 8;
  return Float64Array.from({length: bytes.length / size}, (_, i) => size === 4 ? view.getFloat32(4 * i, true) : view.getFloat64(8 * i, true));
}

class PageNetwork {
  constructor(written) {
    const kind = this.kind = written.precision === "float" ? FLOAT : DOUBLE;
    const rounded = (text, size) => text ? unpacked(text).map(kind.round) : new Float64Array(size);
    const matrix = ({rows, cols, values}) => ({rows, cols, values: unpacked(values).map(kind.round)});
    Object.assign(this, {accept: written.accept, answers: written.answers, begin: written.begin, end: written.end, over: written.over});
    this.head = written.head.map((dense) => ({...dense, weights: matrix(dense.weights), bias: rounded(dense.bias, dense.weights.rows),
      activation: ACTIVATIONS[dense.activation], slope: kind.round(dense.slope)}));
    this.sigmoidOutput = written.output === "sigmoid";
    const compiled = (nodes) => nodes.map((node, i) => ({...node, weights: node.weights && matrix(node.weights), values: rounded(node.values, node.size),
      activation: ACTIVATIONS[node.activation], narrow: kind.round(node.slope), ...PageNetwork.rewritten(kind, nodes, i, written.symbols)}));
    this.steps = compiled(written.step);
    this.readout = compiled(written.readout);
    this.next = written.states.map((state) => state.next);
    this.initial = written.states.map(({size, initial}) => rounded(initial, size));
  }

  /** A sum with a product among its terms is rounded once; a product of a symbol is a table, in double, then rounded. */
  static rewritten(kind, nodes, at, symbols) {
    const {operation, inputs, size, weights, values} = nodes[at];
    if (operation === "add") {
      const factors = inputs.find((input) => nodes[input].operation === "multiply");
      return factors === undefined ? {} : {operation: "fused", inputs: [...nodes[factors].inputs, inputs[inputs[0] === factors ? 1 : 0]]};
    }
    if (operation !== "product" || nodes[inputs[0]].operation !== "symbol") return {};
    const w = unpacked(weights.values), b = values ? unpacked(values) : new Float64Array(size), e = nodes[inputs[0]].weights;
    const vectors = e && unpacked(e.values), {cols} = weights;
    return {operation: "table", table: Array.from({length: symbols}, (_, a) => Float64Array.from({length: size}, (_, r) => {
      let sum = b[r];
      if (!e) sum += w[r * cols + a];
      else for (let c = 0; c < cols; ++c) sum += w[r * cols + c] * vectors[a * cols + c];
      return kind.round(sum);
    }))};
  }

  /** The R-state after one more symbol; R-states are lists of vectors. */
  step(state, symbol) {
    const values = this.run(this.steps, state, symbol);
    return this.next.map((node) => values[node]);
  }

  /** The vectors of a graph's nodes, in order. */
  run(nodes, state, symbol) {
    const k = this.kind, values = [];
    const entrywise = ({size, inputs: [left, right]}, combine) => {
      const [a, b] = [values[left], values[right]];  // a vector of one entry stands for as many as the other has
      return Float64Array.from({length: size}, (_, i) => combine(a[a.length === size ? i : 0], b[b.length === size ? i : 0]));
    };
    const operations = {
      symbol: ({size, weights}) => weights ? weights.values.subarray(symbol * size, (symbol + 1) * size) : Float64Array.from({length: size}, (_, i) => (i === symbol ? 1 : 0)),
      state: ({from}) => state[from],
      table: ({table}) => table[symbol],
      constant: (node) => node.values,
      product: (node) => product(k, node.weights, node.values, values[node.inputs[0]]),
      activate: (node) => values[node.inputs[0]].map((x) => node.activation(k, x, node.narrow)),
      add: (node) => entrywise(node, (a, b) => k.round(a + b)),
      fused: ({size, inputs}) => {
        const [a, b, c] = inputs.map((input) => values[input]), entry = (x, i) => x[x.length === size ? i : 0];
        return Float64Array.from({length: size}, (_, i) => k.fma(entry(a, i), entry(b, i), entry(c, i)));
      },
      subtract: (node) => entrywise(node, (a, b) => k.round(a - b)),
      multiply: (node) => entrywise(node, (a, b) => k.round(a * b)),
      divide: (node) => entrywise(node, (a, b) => k.round(a / b)),
      maximum: (node) => entrywise(node, (a, b) => (a < b || Number.isNaN(b) ? b : a)),
      minimum: (node) => entrywise(node, (a, b) => (b < a || Number.isNaN(b) ? b : a)),
      join: ({inputs}) => Float64Array.from(inputs.flatMap((input) => [...values[input]])),
      part: ({inputs, from, size}) => values[inputs[0]].subarray(from, from + size),
      normalise: ({inputs, slope}) => normalised(k, values[inputs[0]], slope),
    };
    for (const node of nodes) values.push(operations[node.operation](node));
    return values;
  }

  /** What the last dense layer says in an R-state. */
  scores(state) {
    let x = this.run(this.readout, state, null).at(-1);
    for (const {weights, bias, activation, slope, normalise} of this.head) {
      if (normalise !== null) x = normalised(this.kind, x, normalise);
      x = product(this.kind, weights, bias, x).map((value) => activation(this.kind, value, slope));
    }
    return x;
  }

  /** The R-state of the empty word: after the symbols that stand in front of every word. */
  empty() {
    return this.begin.reduce((state, symbol) => this.step(state, symbol), this.initial);
  }

  /** The R-state after a symbol of the run's alphabet. */
  read(state, symbol) {
    return this.step(state, this.over[symbol]);
  }

  /**
   * The answer after a word that ends in this R-state, with its margin. Two answers: one output's logit, or the accept
   * class against the best of the others; above 0 is accept. More: the best class against the next. Where numbers of the
   * R-state or of the scores are not finite the answer is undefined: the network says nothing.
   */
  judge(state) {
    const scores = this.scores(this.end.reduce((before, symbol) => this.step(before, symbol), state));
    const finite = state.every((vector) => vector.every(Number.isFinite)) && !scores.some(Number.isNaN);
    const none = {answer: undefined, margin: NaN, probability: NaN};
    if (!finite) return none;
    if (scores.length === 1) return {answer: scores[0] > 0, margin: scores[0], probability: this.probability(scores, 0)};
    const chosen = this.answers === 2 ? this.accept : scores.indexOf(Math.max(...scores));
    const margin = scores[chosen] - Math.max(...scores.filter((_, i) => i !== chosen));
    return Number.isNaN(margin) ? none : {answer: this.answers === 2 ? margin > 0 : chosen, margin, probability: this.probability(scores, chosen)};
  }

  probability(scores, of) {
    if (scores.length === 1 || this.sigmoidOutput) return 1 / (1 + Math.exp(-scores[of]));
    return 1 / scores.reduce((sum, score) => sum + Math.exp(score - scores[of]), 0);
  }
}

/** Asks a network about words and all their prefixes; what the last word shares with the next one is not run again. */
class NetworkWalk {
  constructor(network, emptyWord) {
    this.network = network;
    this.word = [];
    const state = network.empty();
    // The empty word's answer may have been given; then the network is not asked about it.
    this.after = [{state, ...(emptyWord === null ? network.judge(state) : {answer: emptyWord, margin: null})}];
  }

  begin(word) {
    let same = 0;
    while (same < word.length && same < this.word.length && word[same] === this.word[same]) ++same;
    this.after.length = Math.min(this.after.length, same + 1);
    this.word = word;
  }

  get isDone() {
    return this.after.length > this.word.length;
  }

  /** Continues for some milliseconds, one step at least. */
  goOn(milliseconds) {
    const end = performance.now() + milliseconds;
    do {
      if (this.isDone) return;
      const state = this.network.read(this.after.at(-1).state, this.word[this.after.length - 1]);
      this.after.push({state, ...this.network.judge(state)});
    } while (performance.now() < end);
  }
}
