// A layered drawing of an automaton, for hypotheses that came without a picture by Graphviz. The
// element ids and classes are those of the Graphviz pictures: s0, s1, ... and s0-s1 for arrows.

function layeredPicture(hypothesis) {
  const {edges, access, accepting, classes} = hypothesis;
  const size = accepting.length, radius = 22, gapX = 150, gapY = 74;
  const depth = new Array(size).fill(-1), layers = [];
  const successors = Array.from({length: size}, () => []), neighbours = Array.from({length: size}, () => []);
  for (const [from, to] of edges) {
    if (from === to) continue;
    successors[from].push(to);
    neighbours[from].push(to);
    neighbours[to].push(from);
  }
  depth[0] = 0;
  for (let queue = [0], i = 0; i < queue.length; ++i) {
    (layers[depth[queue[i]]] ||= []).push(queue[i]);
    for (const next of successors[queue[i]]) {
      if (depth[next] >= 0) continue;
      depth[next] = depth[queue[i]] + 1;
      queue.push(next);
    }
  }
  // Tall layers are spread over several columns.
  const tallest = Math.max(6, Math.ceil(Math.sqrt(size) * 1.4));
  const columns = layers.flatMap((layer) => {
    const parts = Math.ceil(layer.length / tallest), each = Math.ceil(layer.length / parts);
    return Array.from({length: parts}, (_, i) => layer.slice(i * each, (i + 1) * each));
  });
  const x = [], y = [];
  const place = () => columns.forEach((column, c) => column.forEach((q, i) => {
    x[q] = c * gapX + (i % 2) * 26;
    y[q] = (i - (column.length - 1) / 2) * gapY;
  }));
  place();
  // States move towards their neighbours, a few rounds.
  for (let round = 0; round < 8; ++round) {
    for (const column of columns) {
      const wish = new Map(column.map((q) => [q, neighbours[q].length ? neighbours[q].reduce((sum, n) => sum + y[n], 0) / neighbours[q].length : y[q]]));
      column.sort((p, q) => wish.get(p) - wish.get(q) || p - q);
    }
    place();
  }

  const low = {x: Math.min(...x) - 90, y: Math.min(...y) - 90}, high = {x: Math.max(...x) + 60, y: Math.max(...y) + 60};
  const picture = svg("svg", {viewBox: `${low.x} ${low.y} ${high.x - low.x} ${high.y - low.y}`});
  const isSink = (q) => !classes && accepting[q] === "0" && successors[q].length === 0;
  const both = new Set(edges.map(([from, to]) => `${from} ${to}`));
  const arrow = (name, path, tip, direction, label, at, dim) => {
    const [dx, dy] = direction, side = 4;
    const corners = [[0, 0], [-9 * dx + side * dy, -9 * dy - side * dx], [-9 * dx - side * dy, -9 * dy + side * dx]];
    return svg("g", {id: name, class: `transition${dim ? " sink" : ""}`},
      svg("path", {d: path}),
      svg("polygon", {points: corners.map(([cx, cy]) => `${(tip[0] + cx).toFixed(1)},${(tip[1] + cy).toFixed(1)}`).join(" ")}),
      label === null ? null : svg("text", {x: at[0].toFixed(1), y: at[1].toFixed(1), "text-anchor": "middle", "font-size": 12}, label));
  };
  for (const [from, to, label] of edges) {
    const name = `s${from}-s${to}`;
    if (from === to) {
      const top = y[from] - radius;
      picture.append(arrow(name, `M${x[from] - 9} ${top + 2}C${x[from] - 16} ${top - 28} ${x[from] + 16} ${top - 28} ${x[from] + 9} ${top + 2}`,
        [x[from] + 9, top + 2], [-0.24, 0.97], label, [x[from], top - 24], isSink(to)));
      continue;
    }
    const dx = x[to] - x[from], dy = y[to] - y[from], length = Math.hypot(dx, dy);
    const [ux, uy] = [dx / length, dy / length];
    // Arrows back and forth between two states, and back over layers, bow to their own sides.
    const bow = both.has(`${to} ${from}`) || depth[to] <= depth[from] ? Math.min(60, 18 + length / 10) : length > 1.5 * gapX ? 30 : 0;
    const middle = [(x[from] + x[to]) / 2 + uy * bow, (y[from] + y[to]) / 2 - ux * bow];
    const towards = (px, py) => {
      const d = Math.hypot(middle[0] - px, middle[1] - py);
      return [(middle[0] - px) / d, (middle[1] - py) / d];
    };
    const out = towards(x[from], y[from]), back = towards(x[to], y[to]);
    const begin = [x[from] + out[0] * radius, y[from] + out[1] * radius];
    const tip = [x[to] + back[0] * (radius + 2), y[to] + back[1] * (radius + 2)];
    const labelAt = [(begin[0] + tip[0] + 2 * middle[0]) / 4 + uy * 9, (begin[1] + tip[1] + 2 * middle[1]) / 4 - ux * 9 + 4];
    picture.append(arrow(name, `M${begin.map((v) => v.toFixed(1)).join(" ")}Q${middle.map((v) => v.toFixed(1)).join(" ")} ${tip.map((v) => v.toFixed(1)).join(" ")}`,
      tip, [-back[0], -back[1]], label, labelAt, isSink(to)));
  }
  picture.append(svg("g", {class: "start"},
    svg("path", {d: `M${x[0] - 60} ${y[0]}H${x[0] - radius - 4}`}),
    svg("polygon", {points: `${x[0] - radius - 2},${y[0]} ${x[0] - radius - 11},${y[0] - 4} ${x[0] - radius - 11},${y[0] + 4}`})));
  for (let q = 0; q < size; ++q) {
    if (depth[q] < 0) continue;
    picture.append(svg("g", {id: `s${q}`, class: `state${accepting[q] === "1" ? " accepting" : ""}${isSink(q) ? " sink" : ""}`},
      accepting[q] === "1" ? svg("circle", {cx: x[q], cy: y[q], r: radius + 3}) : null,
      svg("circle", {cx: x[q], cy: y[q], r: radius - 1}),
      svg("text", {x: x[q], y: y[q], "text-anchor": "middle", "font-size": 13}, classes ? `s${q} / ${classes[q]}` : `s${q}`),
      svg("text", {x: x[q], y: y[q] + 11, "text-anchor": "middle", "font-size": 8}, access[q])));
  }
  return picture;
}
