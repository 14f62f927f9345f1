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

/**
 * A plot of lines. series: [{name, points: [[x, y]...], steps, class, chosen: index}];
 * range: {x: [low, high], y: [low, high]} where they are not those of the points.
 */
function linePlot({title, xTitle, yTitle, series, range, onPick}) {
  const width = 560, height = 280, left = 62, right = 14, top = 14, bottom = 44;
  const all = series.flatMap((line) => line.points);
  const extent = (axis, at) => {
    if (range && range[axis]) return range[axis];
    const values = all.map((point) => point[at]);
    const low = Math.min(0, ...values), high = Math.max(...values);
    return [low, high > low ? high : low + 1];
  };
  const [x0, x1] = extent("x", 0), [y0, y1] = extent("y", 1);
  const px = (x) => left + (x - x0) / (x1 - x0) * (width - left - right);
  const py = (y) => height - bottom - (y - y0) / (y1 - y0) * (height - top - bottom);
  const picture = svg("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title});
  for (const y of ticks(y0, y1, 5)) {
    picture.append(svg("line", {class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y)}),
      svg("text", {x: left - 6, y: py(y) + 4, "text-anchor": "end"}, String(y)));
  }
  for (const x of ticks(x0, x1, 7)) {
    picture.append(svg("line", {class: "grid", x1: px(x), x2: px(x), y1: top, y2: height - bottom}),
      svg("text", {x: px(x), y: height - bottom + 16, "text-anchor": "middle"}, String(x)));
  }
  picture.append(
    svg("line", {class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
    svg("line", {class: "axis", x1: left, x2: left, y1: top, y2: height - bottom}),
    svg("text", {x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle"}, xTitle),
    svg("text", {x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, yTitle));
  for (const line of series) {
    let path = "";
    line.points.forEach(([x, y], i) => {
      if (i > 0 && line.steps) path += `H${px(x).toFixed(1)}`;
      path += `${i === 0 ? "M" : "L"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
    });
    picture.append(svg("path", {class: `series ${line.class || ""}`, d: path}));
    // Marks crowd out the line when there are many; the chosen one is always there.
    line.points.forEach(([x, y], i) => {
      if (line.points.length > 80 && i !== line.chosen) return;
      const mark = svg("circle", {class: `mark ${line.class || ""} ${i === line.chosen ? "chosen" : ""}`,
        cx: px(x).toFixed(1), cy: py(y).toFixed(1), r: i === line.chosen ? 6 : 3},
      svg("title", {}, `${line.name}: ${xTitle} ${x}, ${yTitle} ${y}`));
      if (onPick) mark.addEventListener("click", () => onPick(i));
      picture.append(mark);
    });
  }
  return picture;
}

let barPlots = 0;  // ids are unique in a page

/** Bars to the right, each below its name. bars: [{name, value, striped}]. Narrow, so that a phone need not shrink it much. */
function barPlot({title, axis, bars}) {
  const width = 440, left = 12, right = 70, name = 16, row = 38, top = 8, bottom = 40, letters = 64;
  const height = top + bars.length * row + bottom;
  const stripes = `stripes-${++barPlots}`;
  const most = Math.max(...bars.map(({value}) => value)) || 1;
  const px = (value) => left + value / most * (width - left - right);
  // The middle of a long name goes: chains of oracles begin alike and often end alike.
  const short = (text) => {
    const all = Array.from(text);
    return all.length <= letters ? text : `${all.slice(0, letters / 2).join("")}…${all.slice(1 - letters / 2).join("")}`;
  };
  const picture = svg("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title},
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
      // A name that is wide all the same is squeezed, not cut.
      svg("text", {x: left + 2, y: y + 12, ...(short(bar.name).length > 60 ? {textLength: width - left - 8, lengthAdjust: "spacingAndGlyphs"} : {})}, short(bar.name)),
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
