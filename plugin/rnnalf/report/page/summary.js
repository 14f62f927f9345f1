// What can be said of an automaton that is too large to be drawn: its strongly connected parts, and
// the states and transitions that words use most.

const DRAWN_STATES = 60;     // more are summarised
const DRAWN_ARROWS = 150;    // more are, too: a drawing of them cannot be read
const DRAWN_ANYWAY = 400;    // more are not drawn even when asked for
const SPRAWLING_STATES = 20, MOST_BOXES = 4;  // so few are always drawn; more only where they fill at most MOST_BOXES boxes
const USE_LENGTH = 30;       // symbols of the words that use is about
const CORE_STATES = 14, CORE_SHARE = 0.001, CORE_ARROWS = 32, CORE_LABELS = 16, LARGEST_PARTS = 8;

/** The strongly connected part of every state, parts numbered from 0 (Tarjan, without recursion). */
function strongParts(size, symbols, next) {
  const part = new Int32Array(size).fill(-1), order = new Int32Array(size).fill(-1), low = new Int32Array(size);
  const stack = [], onStack = new Uint8Array(size), path = [];
  let seen = 0, parts = 0;
  for (let root = 0; root < size; ++root) {
    if (order[root] >= 0) continue;
    path.push([root, 0]);
    while (path.length) {
      const top = path.at(-1), [q, a] = top;
      if (a === 0) {
        order[q] = low[q] = seen++;
        stack.push(q);
        onStack[q] = 1;
      }
      if (a < symbols) {
        const to = next[q * symbols + a];
        ++top[1];
        if (order[to] < 0) path.push([to, 0]);
        else if (onStack[to]) low[q] = Math.min(low[q], order[to]);
        continue;
      }
      path.pop();
      if (path.length) low[path.at(-1)[0]] = Math.min(low[path.at(-1)[0]], low[q]);
      if (low[q] !== order[q]) continue;
      for (let member = -1; member !== q;) {
        member = stack.pop();
        onStack[member] = 0;
        part[member] = parts;
      }
      ++parts;
    }
  }
  return {part, parts};
}

/** How often uniform words of USE_LENGTH symbols are in each state before a symbol: expected, exactly. */
function visitsOf(size, symbols, next) {
  const visits = new Float64Array(size);
  let now = new Float64Array(size);
  now[0] = 1;
  for (let i = 0; i < USE_LENGTH; ++i) {
    const then = new Float64Array(size);
    for (let q = 0; q < size; ++q) {
      if (now[q] === 0) continue;
      visits[q] += now[q];
      for (let a = 0; a < symbols; ++a) then[next[q * symbols + a]] += now[q] / symbols;
    }
    now = then;
  }
  return visits;
}

/** The symbols with rows of three and more as `a-z`. */
function withRanges(list, shown, separator) {
  const follows = (a, b) => [shown[a], shown[b]].every((name) => /^[0-9a-zA-Z]$/.test(name)) && shown[b].charCodeAt(0) - shown[a].charCodeAt(0) === 1;
  const parts = [];
  for (let i = 0, end; i < list.length; i = end) {
    for (end = i + 1; end < list.length && follows(list[end - 1], list[end]);) ++end;
    if (end - i < 3) end = i + 1;
    parts.push(end - i >= 3 ? `${shown[list[i]]}-${shown[list[end - 1]]}` : shown[list[i]]);
  }
  return parts.join(separator);
}

/** As the program has it: `any`, `a-z`, `[^()]`, the symbols if there are few, else how many. */
function symbolsLabel(list, shown) {
  if (list.length === shown.length && list.length > 2) return "any";
  const listed = withRanges(list, shown, " "), here = new Set(list), others = [...shown.keys()].filter((a) => !here.has(a));
  const allBut = others.length * 3 <= list.length ? `[^${withRanges(others, shown, shown.every((name) => Array.from(name).length === 1) ? "" : " ")}]` : listed;
  const text = allBut.length < listed.length ? allBut : listed;
  return Array.from(text).length <= 12 ? text : `${count(list.length)} symbols`;
}

/** Parallel transitions as one, between groups of states: [{from, to, symbols, use}]. */
function mergedTransitions(automaton, groupOf) {
  const {accepting, next, visits} = automaton, symbols = next.length / accepting.length, found = new Map();
  for (let q = 0; q < accepting.length; ++q) {
    const from = groupOf(q);
    if (from === null) continue;
    for (let a = 0; a < symbols; ++a) {
      const to = groupOf(next[q * symbols + a]);
      const key = `${from} ${to}`;
      if (!found.has(key)) found.set(key, {from, to, symbols: new Set(), use: 0});
      found.get(key).symbols.add(a);
      found.get(key).use += visits[q] / symbols;
    }
  }
  return [...found.values()].map((edge) => ({...edge, symbols: [...edge.symbols].sort((a, b) => a - b)}));
}

class Summary {
  constructor({accepting, classes, next}, shown) {
    const size = accepting.length, symbols = shown.length;
    Object.assign(this, {accepting, classes, next, shown, size, symbols, visits: visitsOf(size, symbols, next)});
    const {part, parts} = strongParts(size, symbols, next);
    this.part = part;
    this.parts = Array.from({length: parts}, () => ({states: 0, accepting: 0, use: 0, first: -1, lasting: false}));
    for (let q = 0; q < size; ++q) {
      const mine = this.parts[part[q]];
      if (mine.first < 0) mine.first = q;
      ++mine.states;
      mine.accepting += accepting[q] === "1";
      mine.use += this.visits[q];
      for (let a = 0; a < symbols && !mine.lasting; ++a) mine.lasting = part[next[q * symbols + a]] === part[q];
    }
    this.sink = sinkOf(this);
    this.isSink = (q) => q === this.sink;
    // Almost every uniform word over an e-mail alphabet ends in the sink; use is about the steps before.
    this.steps = this.visits.reduce((sum, visits, q) => this.isSink(q) ? sum : sum + visits, 0);
    this.lasting = this.parts.filter((p) => p.lasting).sort((a, b) => b.states - a.states || a.first - b.first);
    this.passing = this.parts.filter((p) => !p.lasting).length;
  }

  /** tooLargeFor: what a drawing that can be read would not fit into, where neither states nor arrows are too many. */
  sentence(tooLargeFor) {
    const [largest, ...others] = this.lasting.filter(({first}) => !this.isSink(first)), pieces = [];
    if (largest) pieces.push(largest.states > 1 ? `a strongly connected part of ${count(largest.states)} states` : "a state that leads to itself");
    if (others.length) pieces.push(counted(others.length, "smaller one", "smaller ones"));
    if (this.passing) pieces.push(`${counted(this.passing, "state", "states")} that words pass at most once`);
    if (this.sink >= 0) pieces.push("a sink");
    const why = tooLargeFor ? `Too large for ${tooLargeFor}` : `Too many ${this.size > DRAWN_STATES ? "states" : "arrows"} for a drawing that can be read`;
    return `${why}: ${pieces.length > 1 ? `${pieces.slice(0, -1).join(", ")} and ${pieces.at(-1)}` : pieces[0]}.`;
  }

  /** What shares of use are about. */
  useText() {
    return `uniform words of ${USE_LENGTH} symbols${this.sink >= 0 ? ", until they are in the sink" : ""}`;
  }

  arrowWidths(edges) {
    const most = Math.max(...edges.map(({use}) => use));
    return edges.map((edge) => ({...edge, width: 0.8 + 5 * Math.sqrt(edge.use / most)}));
  }

  share(use) {
    const share = 100 * use / this.steps;
    return share >= 10 ? `${share.toFixed(0)} %` : share >= 0.1 ? `${share.toFixed(1)} %` : "below 0.1 %";
  }

  /** The states that words use most, and one node for all others. */
  corePicture() {
    const core = Array.from(this.visits.keys()).filter((q) => q !== 0 && this.visits[q] >= CORE_SHARE * this.steps && !this.isSink(q))
      .sort((p, q) => this.visits[q] - this.visits[p] || p - q).slice(0, CORE_STATES - 1);
    const place = new Map([0, ...core].map((q, i) => [q, i])), others = place.size;
    const groupOf = (q) => place.has(q) ? place.get(q) : this.isSink(q) ? others + 1 : others;
    let edges = mergedTransitions(this, groupOf).filter(({from}) => from < others).sort((a, b) => b.use - a.use).slice(0, CORE_ARROWS);
    // The labels of rarely used arrows would hide the others; they are in the tooltips.
    edges = this.arrowWidths(edges).map(({from, to, symbols, use, width}, i) => ({from, to, width, label: to < others && i < CORE_LABELS ? symbolsLabel(symbols, this.shown) : "",
      class: to >= others ? "faint" : "", title: `${symbolsLabel(symbols, this.shown)}: ${this.share(use)} of all steps`}));
    const nodes = [...place.keys()].map((q) => ({...stateNode(q, this.classes), sub: this.share(this.visits[q]),
      class: this.accepting[q] === "1" ? "accepting" : "", title: `s${q}: ${this.share(this.visits[q])} of all steps begin here`}));
    nodes.push({id: "others", label: `+${count(this.size - place.size - (this.sink >= 0))}`, sub: "other states", radius: 36, class: "group"});
    if (edges.some(({to}) => to === others + 1)) nodes.push({id: "sink", label: "sink", sub: "", radius: 22, class: "sink"});
    else edges = edges.filter(({to}) => to <= others);
    return layeredPicture(nodes, edges);
  }

  /** The strongly connected parts as nodes, and one for the states that words pass at most once. */
  partsPicture() {
    const largest = this.lasting.slice(0, LARGEST_PARTS), most = largest[0].states;
    // The group of the initial state comes first: the picture begins there.
    const groups = largest.map((part) => ({part, states: part.states, accepting: part.accepting, use: part.use}));
    const rest = {states: 0, accepting: 0, use: 0};
    const groupAt = new Map(this.parts.map((part) => [part, largest.indexOf(part)]));
    for (const part of this.parts) {
      if (groupAt.get(part) >= 0) continue;
      for (const number of ["states", "accepting", "use"]) rest[number] += part[number];
    }
    if (rest.states) groups.push(rest);
    const groupOf = (q) => {
      const at = groupAt.get(this.parts[this.part[q]]);
      return at >= 0 ? at : largest.length;
    };
    const first = groupOf(0), order = [first, ...groups.keys()].filter((g, i) => i === 0 || g !== first);
    const placeOf = groups.map((_, g) => order.indexOf(g));
    const nodes = order.map((g) => {
      const {part, states, accepting, use} = groups[g], isSink = part && states === 1 && this.isSink(part.first);
      return {id: `part${g}`, label: isSink ? "sink" : count(states), sub: isSink ? "" : !part ? "in passing" : this.classes ? "states" : `${Math.round(100 * accepting / states)} % accept`,
        radius: 28 + 42 * Math.sqrt(states / most) * (part ? 1 : 0), class: isSink ? "sink" : part ? "part" : "group",
        title: isSink ? "no word leaves it" : `${counted(states, "state", "states")}${this.classes ? "" : `, ${count(accepting)} accepting`}; ${this.share(use)} of all steps begin here`};
    });
    const edges = this.arrowWidths(mergedTransitions(this, groupOf).filter(({from, to}) => from !== to))
      .map(({from, to, use, width}) => ({from: placeOf[from], to: placeOf[to], width, title: `${this.share(use)} of all steps`}));
    return layeredPicture(nodes, edges);
  }

  /** Where a state is in the pictures above. */
  elementOf(q, picture) {
    if (picture.querySelector(`[id="s${q}"]`)) return `s${q}`;
    if (picture.querySelector("#others")) return this.isSink(q) && picture.querySelector("#sink") ? "sink" : "others";
    const at = this.lasting.slice(0, LARGEST_PARTS).indexOf(this.parts[this.part[q]]);
    return `part${at >= 0 ? at : Math.min(this.lasting.length, LARGEST_PARTS)}`;
  }

  /** The transitions used most: [{from, to, label, share}]. */
  mostUsed(many) {
    return mergedTransitions(this, (q) => q).filter(({to}) => !this.isSink(to)).sort((a, b) => b.use - a.use || a.from - b.from || a.to - b.to).slice(0, many)
      .map(({from, to, symbols, use}) => ({from, to, label: symbolsLabel(symbols, this.shown), share: use / this.steps, text: this.share(use)}));
  }

  /** Every state, for who asks for it. */
  wholePicture() {
    return automatonPicture({accepting: this.accepting, classes: this.classes,
      edges: mergedTransitions(this, (q) => q).map(({from, to, symbols}) => [from, to, symbolsLabel(symbols, this.shown)])}, this.sink, -1);
  }
}
