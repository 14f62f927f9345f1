// The ladder: what more states buy. It chooses the rung that the page shows, and its colours are those
// of the lines in the plot of agreement.

const shareOf = ([, agreed, words]) => agreed / words;

function reachText({horizon, agreement}) {
  if (horizon === undefined) return "not measured";
  if (horizon === 0) return "not even 1 symbol";
  const longest = agreement.length ? agreement.at(-1)[0] : 0;
  return horizon >= longest ? `all lengths to ${count(horizon)}` : `up to ${counted(horizon, "symbol", "symbols")}`;
}

class LadderView {
  /** rungs as in the page's data; onChoose(i, aloud). */
  constructor({rungs, result, ladder, plot, readout, numbers, onChoose}) {
    Object.assign(this, {rungs, result, plot, readout, onChoose, chosen: result});
    this.inputs = rungs.map((rung, i) => el("input", {type: "radio", name: "rung", value: i, onchange: () => onChoose(i, false)}));
    ladder.classList.toggle("many", rungs.length > 8);
    ladder.replaceChildren(...rungs.map((rung, i) => {
      const last = rung.agreement?.at(-1);
      return el("label", {class: `rung colour-${i % 8}`}, this.inputs[i],
        el("span", {class: "size"}, counted(rung.states, "state", "states"), i === result ? el("span", {class: "badge"}, "result") : null),
        el("span", {class: "reach"}, reachText(rung)),
        last && shareOf(last) < 1 ? el("span", {class: "reach"}, `${percent(shareOf(last))} at ${count(last[0])}`) : null);
    }));
    this.measured = rungs.some(({agreement}) => agreement?.length);
    if (!this.measured) return;
    const lengths = [...new Set(rungs.flatMap(({agreement}) => (agreement || []).map(([length]) => length)))].sort((a, b) => a - b);
    const at = (rung, length) => rung.agreement?.find(([found]) => found === length);
    this.sharesAt = (length) => rungs.map((rung) => at(rung, length)).map((found) => found ? percent(shareOf(found)) : "");
    numbers.replaceChildren(plotNumbers(["word length", ...rungs.map(({states}) => counted(states, "state", "states"))],
      lengths.map((length) => [length, ...this.sharesAt(length)]), "Agreement by word length"));
    this.redraw = drawnToWidth(plot, (width) => this.draw(width));
  }

  choose(i) {
    this.chosen = i;
    this.inputs[i].checked = true;
    if (this.measured) this.redraw();
  }

  draw(width) {
    const lowestOf = (rungs) => Math.min(1, ...rungs.flatMap(({agreement}) => (agreement || []).map(shareOf)));
    const rung = this.rungs[this.chosen], longest = Math.max(...this.rungs.map(({agreement}) => agreement?.at(-1)?.[0] || 1));
    // What other rungs do below one half would press all lines together at the top.
    const lowest = Math.min(Math.max(0.5, lowestOf(this.rungs)), lowestOf([rung]));
    const low = lowest === 1 ? 0.9 : lowest >= 0.98 ? Math.floor(lowest * 200) / 200 - 0.005 : lowest > 0.9 ? Math.floor(lowest * 20) / 20 : Math.floor(lowest * 10) / 10;
    this.cut = lowestOf(this.rungs) < low ? ` Shares below ${Math.round(100 * low)} % are off the plot.` : "";
    this.plot.replaceChildren(linePlot({
      title: "Share of words on which automaton and network agree, by length, a line for every rung",
      xTitle: "word length", yTitle: "words on which both agree", width, height: Math.max(250, Math.min(380, Math.round(width * 0.62))),
      yText: (y) => `${Number((100 * y).toPrecision(4))} %`, range: {x: [1, longest], y: [Math.max(0, low), 1]},
      series: this.rungs.flatMap(({agreement, states}, i) => agreement?.length ? [{rung: i, name: counted(states, "state", "states"),
        points: agreement.map((found) => [found[0], shareOf(found)]), class: `colour-${i % 8}`, chosen: i === this.chosen}] : []),
      upTo: rung.horizon && rung.horizon < longest ? {x: rung.horizon, text: `${counted(rung.states, "state", "states")}: up to ${count(rung.horizon)}`} : null,
      onPick: (line) => this.onChoose(line.rung, true), onPoint: (length) => this.point(length)}));
    this.point(null);
  }

  point(length) {
    if (length === null) {
      this.readout.textContent = `A line for every rung of the ladder; the lower of two shares: of uniform words, and of words near the network's language.${this.cut}`;
      return;
    }
    const shares = this.sharesAt(length);
    this.readout.textContent = `Length ${length}: ${this.rungs.map(({states}, i) => shares[i] && `${counted(states, "state", "states")} ${shares[i]}`).filter(Boolean).join(", ")}.`;
  }
}
