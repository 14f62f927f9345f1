// Small plots as SVG, each with a table of its numbers for those who do not see it.

/** Round numbers that cover [low, high], about `wanted` of them. */
function ticks(low, high, wanted) {
  const span = high - low || 1;
  const raw = span / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) list.push(Number((i * step).toPrecision(12)));
  return list;
}

let plots = 0;  // ids are unique in a page

/** Draws into a box, and again whenever its width changes: a plot's text has the same size on every screen. */
function drawnToWidth(box, draw) {
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (box.clientWidth === width || !box.clientWidth) return;
    width = box.clientWidth;
    draw(width);
  });
  observer.observe(box);
  return () => { if (box.clientWidth) draw(box.clientWidth); };
}

/** Shares as percent; 100 % means all, so it is never rounded up. */
function percent(share) {
  if (share === 1) return "100 %";
  return `${(Math.floor(share * 1e4 + 1e-6) / 100).toFixed(share > 0.99 ? 2 : 1)} %`;
}

/**
 * A plot of lines. series: [{name, points: [[x, y]...], steps, class, chosen: whether it stands out, order: larger on top, marks: [index...]}];
 * range: {x: [low, high], y: [low, high]} where they are not those of the points; yText: how a y is written;
 * upTo: {x, text}, a line across; onPick(series), onPoint(x or null) when the pointer is there.
 */
function linePlot({title, xTitle, yTitle, series, range = {}, width, height = 280, yText = String, upTo, onPick, onPoint}) {
  const left = 58, right = 16, top = 26, bottom = 42;
  const all = series.flatMap((line) => line.points);
  const extent = (axis, at) => {
    if (range[axis]) return range[axis];
    const high = all.reduce((most, point) => Math.max(most, point[at]), 0);
    return [0, high > 0 ? high : 1];
  };
  const [x0, x1] = extent("x", 0), [y0, y1] = extent("y", 1);
  const px = (x) => left + (x - x0) / (x1 - x0) * (width - left - right);
  const py = (y) => height - bottom - (y - y0) / (y1 - y0) * (height - top - bottom);
  const picture = svg("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title});
  for (const y of ticks(y0, y1, 5)) {
    picture.append(svg("line", {class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y)}),
      svg("text", {x: left - 6, y: py(y) + 4, "text-anchor": "end"}, yText(y)));
  }
  for (const x of ticks(x0, x1, Math.max(2, Math.floor(width / 90)))) {
    picture.append(svg("text", {x: px(x), y: height - bottom + 17, "text-anchor": "middle"}, count(x)));
  }
  picture.append(
    svg("line", {class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
    svg("text", {class: "title", x: width - right, y: height - 6, "text-anchor": "end"}, xTitle),
    svg("text", {class: "title", x: 6, y: 15}, yTitle));
  if (upTo) {
    const end = px(upTo.x) > width * 0.6;
    picture.append(svg("line", {class: "up-to", x1: px(upTo.x), x2: px(upTo.x), y1: top, y2: height - bottom}),
      svg("text", {class: "up-to", x: px(upTo.x) + (end ? -6 : 6), y: height - bottom - 8, "text-anchor": end ? "end" : "start"}, upTo.text));
  }
  const clip = `clip-${++plots}`;
  picture.append(svg("clipPath", {id: clip}, svg("rect", {x: left - 2, y: top - 4, width: width - left - right + 4, height: height - top - bottom + 4})));
  for (const line of [...series].sort((a, b) => (a.order || 0) - (b.order || 0))) {
    let path = "";
    line.points.forEach(([x, y], i) => {
      if (i > 0 && line.steps) path += `H${px(x).toFixed(1)}`;
      path += `${i === 0 ? "M" : "L"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
    });
    const shown = svg("g", {class: `series ${line.class || ""} ${line.chosen ? "chosen" : ""}`, "clip-path": line.marks ? null : `url(#${clip})`}, svg("path", {d: path}), svg("path", {class: "wide", d: path}, svg("title", {}, line.name)));
    for (const i of line.marks || []) {
      const [x, y] = line.points[i];
      shown.append(svg("circle", {class: "mark", cx: px(x).toFixed(1), cy: py(y).toFixed(1), r: 4}));
    }
    if (onPick) shown.addEventListener("click", () => onPick(line));
    picture.append(shown);
  }
  if (onPoint) {
    const at = svg("line", {class: "cursor", y1: top, y2: height - bottom, visibility: "hidden"});
    picture.append(at);
    picture.addEventListener("pointermove", (event) => {
      const x = Math.round(x0 + (event.clientX - picture.getBoundingClientRect().left - left) / (width - left - right) * (x1 - x0));
      const inside = x >= x0 && x <= x1;
      at.setAttribute("visibility", inside ? "visible" : "hidden");
      at.setAttribute("x1", px(x));
      at.setAttribute("x2", px(x));
      onPoint(inside ? x : null);
    });
    picture.addEventListener("pointerleave", () => {
      at.setAttribute("visibility", "hidden");
      onPoint(null);
    });
  }
  return picture;
}

/** Bars to the right, each below its name. bars: [{name, value, striped}]. */
function barPlot({title, axis, bars, width}) {
  const left = 12, right = 70, name = 16, row = 38, top = 8, bottom = 40, letters = Math.max(20, Math.floor(width / 14) * 2);
  const height = top + bars.length * row + bottom;
  const stripes = `stripes-${++plots}`;
  const most = Math.max(...bars.map(({value}) => value)) || 1;
  const px = (value) => left + value / most * (width - left - right);
  const picture = svg("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title},
    svg("defs", {}, svg("pattern", {id: stripes, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)"},
      svg("rect", {class: "bar faint", width: 6, height: 6}), svg("rect", {class: "bar", width: 3, height: 6}))));
  for (const x of ticks(0, most, 4)) {
    picture.append(svg("line", {class: "grid", x1: px(x), x2: px(x), y1: top, y2: height - bottom}),
      svg("text", {x: px(x), y: height - bottom + 16, "text-anchor": "middle"}, count(x)));
  }
  bars.forEach((bar, i) => {
    const y = top + i * row;
    const number = bar.value < 10 && !Number.isInteger(bar.value) ? bar.value.toFixed(2) : count(Math.round(bar.value));
    picture.append(svg("g", {}, svg("title", {}, `${bar.name}: ${number} ${axis}`),
      svg("text", {x: left + 2, y: y + 12}, shortened(bar.name, letters)),
      svg("rect", {class: bar.striped ? null : "bar", fill: bar.striped ? `url(#${stripes})` : null, x: left, y: y + name, width: Math.max(1, px(bar.value) - left).toFixed(1), height: 15}),
      svg("text", {x: (px(bar.value) + 5).toFixed(1), y: y + name + 12}, number)));
  });
  picture.append(svg("line", {class: "axis", x1: left, x2: left, y1: top, y2: height - bottom}),
    svg("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, axis));
  return picture;
}

/** The numbers of a plot, folded away. */
function plotNumbers(titles, rows, caption) {
  return el("details", {}, el("summary", {}, "The numbers"),
    el("div", {class: "scroll", tabindex: "0"}, table(titles, rows.map((cells) => ({cells: cells.map(String)})), caption)));
}

/** The n-th of many colours that are easy to tell apart, for both themes. */
const manyColours = (n) => `hsl(${(n * 137.508 + 215) % 360}, ${52 + n % 3 * 10}%, ${46 + n % 4 * 5}%)`;
