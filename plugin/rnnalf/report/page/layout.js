// A layered drawing of a graph, for automata that came without a picture by Graphviz and for
// summaries. The element ids and classes are those of the Graphviz pictures: s0, s1, ... and s0-s1.

/** Layers by distance from the first node; tall ones are spread over several columns. */
function layersOf(size, edges) {
  const successors = Array.from({length: size}, () => []);
  for (const {from, to} of edges) if (from !== to) successors[from].push(to);
  const depth = new Array(size).fill(-1), layers = [];
  const reach = (first, at) => {
    depth[first] = at;
    for (let queue = [first], i = 0; i < queue.length; ++i) {
      (layers[depth[queue[i]]] ||= []).push(queue[i]);
      for (const next of successors[queue[i]]) {
        if (depth[next] >= 0) continue;
        depth[next] = depth[queue[i]] + 1;
        queue.push(next);
      }
    }
  };
  reach(0, 0);
  depth.forEach((at, node) => { if (at < 0) reach(node, 1); });  // what only nodes that are left out lead to
  const tallest = Math.max(5, Math.ceil(Math.sqrt(size) * 1.2));
  const columns = layers.flatMap((layer) => {
    const parts = Math.ceil(layer.length / tallest), each = Math.ceil(layer.length / parts);
    return Array.from({length: parts}, (_, i) => layer.slice(i * each, (i + 1) * each));
  });
  return {depth, columns};
}

/** Places the nodes: columns from left to right, in each the nodes near their neighbours. */
function placed(nodes, edges, columns) {
  const neighbours = nodes.map(() => []);
  for (const {from, to} of edges) {
    if (from === to) continue;
    neighbours[from].push(to);
    neighbours[to].push(from);
  }
  const x = [], y = [];
  const place = () => {
    let left = 0;
    columns.forEach((column, c) => {
      const widest = Math.max(...column.map((q) => nodes[q].radius));
      left += c ? widest : 0;
      let top = -column.reduce((sum, q) => sum + 2 * nodes[q].radius + 34, 0) / 2;
      column.forEach((q, i) => {
        x[q] = left + (i % 2) * 26;
        y[q] = top + nodes[q].radius + 17 + (c % 2) * 14;
        top += 2 * nodes[q].radius + 34;
      });
      left += widest + 92;
    });
  };
  place();
  // States move towards their neighbours, a few rounds.
  for (let round = 0; round < 8; ++round) {
    for (const column of columns) {
      const wish = new Map(column.map((q) => [q, neighbours[q].length ? neighbours[q].reduce((sum, n) => sum + y[n], 0) / neighbours[q].length : y[q]]));
      column.sort((p, q) => wish.get(p) - wish.get(q) || p - q);
    }
    place();
  }
  return {x, y};
}

/** nodes: [{id, label, sub, radius, class, title}], the first one initial; edges: [{from, to, label, class, width}]. */
function layeredPicture(nodes, edges) {
  const {depth, columns} = layersOf(nodes.length, edges);
  const {x, y} = placed(nodes, edges, columns);
  const picture = svg("svg", {});
  const both = new Set(edges.map(({from, to}) => `${from} ${to}`));
  let low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  const covers = (px, py, margin) => {
    low = [Math.min(low[0], px - margin), Math.min(low[1], py - margin)];
    high = [Math.max(high[0], px + margin), Math.max(high[1], py + margin)];
  };
  const numbers = (point) => point.map((v) => v.toFixed(1)).join(" ");
  const arrow = (edge, path, tip, [dx, dy], at) => {
    const name = `${nodes[edge.from].id}-${nodes[edge.to].id}`, long = 8 + (edge.width || 1), side = 3 + (edge.width || 1) * 0.8;
    const corners = [[0, 0], [-long * dx + side * dy, -long * dy - side * dx], [-long * dx - side * dy, -long * dy + side * dx]];
    const line = svg("path", {d: path});
    if (edge.width) line.style.strokeWidth = edge.width.toFixed(1);
    if (edge.label) covers(at[0], at[1], edge.label.length * 3.2 + 4);
    picture.append(svg("g", {id: name, class: `transition ${edge.class || ""}`}, edge.title ? svg("title", {}, edge.title) : null, line,
      svg("polygon", {points: corners.map(([cx, cy]) => numbers([tip[0] + cx, tip[1] + cy])).join(" ")}),
      edge.label ? svg("text", {x: at[0].toFixed(1), y: at[1].toFixed(1), "text-anchor": "middle", "font-size": 12}, edge.label) : null));
  };
  for (const edge of edges) {
    const {from, to} = edge, radius = nodes[from].radius;
    if (from === to) {
      const top = y[from] - radius;
      covers(x[from], top - 24, 12);
      arrow(edge, `M${numbers([x[from] - 9, top + 2])}C${numbers([x[from] - 16, top - 28])} ${numbers([x[from] + 16, top - 28])} ${numbers([x[from] + 9, top + 2])}`,
        [x[from] + 9, top + 2], [-0.24, 0.97], [x[from], top - 24]);
      continue;
    }
    const dx = x[to] - x[from], dy = y[to] - y[from], length = Math.hypot(dx, dy), [ux, uy] = [dx / length, dy / length];
    // Arrows back and forth between two states, and back over layers, bow to their own sides.
    const bow = both.has(`${to} ${from}`) || depth[to] <= depth[from] ? Math.min(60, 18 + length / 10) : length > 230 ? 30 : 0;
    const middle = [(x[from] + x[to]) / 2 + uy * bow, (y[from] + y[to]) / 2 - ux * bow];
    const towards = (q) => {
      const d = Math.hypot(middle[0] - x[q], middle[1] - y[q]);
      return [(middle[0] - x[q]) / d, (middle[1] - y[q]) / d];
    };
    const out = towards(from), back = towards(to);
    const begin = [x[from] + out[0] * radius, y[from] + out[1] * radius];
    const tip = [x[to] + back[0] * (nodes[to].radius + 2), y[to] + back[1] * (nodes[to].radius + 2)];
    const half = [0, 1].map((i) => (begin[i] + tip[i] + 2 * middle[i]) / 4);
    covers(half[0], half[1], 6);
    arrow(edge, `M${numbers(begin)}Q${numbers(middle)} ${numbers(tip)}`, tip, [-back[0], -back[1]], [half[0] + uy * 9, half[1] - ux * 9 + 4]);
  }
  const first = x[0] - nodes[0].radius;
  covers(first - 34, y[0], 6);
  picture.append(svg("g", {class: "start"}, svg("path", {d: `M${first - 36} ${y[0]}H${first - 4}`}),
    svg("polygon", {points: `${first - 2},${y[0]} ${first - 11},${y[0] - 4} ${first - 11},${y[0] + 4}`})));
  nodes.forEach(({id, label, sub, radius, class: names, title}, q) => {
    covers(x[q], y[q], radius + 5);
    picture.append(svg("g", {id, class: `state ${names}`}, title ? svg("title", {}, title) : null,
      /\baccepting\b/.test(names) ? svg("circle", {cx: x[q], cy: y[q], r: radius + 3}) : null,
      svg("circle", {cx: x[q], cy: y[q], r: radius - 1}),
      svg("text", {x: x[q], y: y[q] + (sub ? 0 : 4), "text-anchor": "middle", "font-size": 13}, label),
      sub ? svg("text", {x: x[q], y: y[q] + 12, "text-anchor": "middle", "font-size": 10}, sub) : null));
  });
  picture.setAttribute("viewBox", [...low, high[0] - low[0], high[1] - low[1]].map((v) => v.toFixed(1)).join(" "));
  return picture;
}

/** The sink: a rejecting state that no word leaves; a minimal automaton has at most one. -1: none, nothing else, or a Moore machine. */
function sinkOf({accepting, classes, next}) {
  const size = accepting.length, symbols = next.length / size;
  return size === 1 || classes ? -1 : Array.from(accepting).findIndex((accepts, q) => accepts === "0" && next.slice(q * symbols, (q + 1) * symbols).every((to) => to === q));
}

/** A state with its class in it, as wide as that is. */
function stateNode(q, classes) {
  const label = classes ? `s${q} / ${shortened(className(classes[q]), 12)}` : `s${q}`;
  return {id: `s${q}`, label, radius: Math.max(22, 3.9 * label.length)};
}

/** An automaton with every state, but for one that is left out (-1: none). */
function automatonPicture({accepting, classes, edges, access}, sink, leftOut) {
  const states = [...Array(accepting.length).keys()].filter((q) => q !== leftOut);
  const place = new Map(states.map((q, i) => [q, i]));
  return layeredPicture(
    states.map((q) => ({...stateNode(q, classes), sub: access ? access[q] : "", title: access && access[q] ? `s${q}, reached by ${access[q]}` : `s${q}`, class: accepting[q] === "1" ? "accepting" : q === sink ? "sink" : ""})),
    edges.filter(([from, to]) => place.has(from) && place.has(to))
      .map(([from, to, label]) => ({from: place.get(from), to: place.get(to), label, class: to === sink ? "sink" : ""})));
}
