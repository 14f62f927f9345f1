// The ladder: what more states buy. It chooses the rung that the page shows, and its colours are those
// of the lines in the plot of agreement.

const shareOf = ([, agreed, words]) => agreed / words;

/** Of the lengths around, so that a line of few words can be followed: [length, share]. */
function smoothed(agreement) {
  return agreement.map(([length]) => {
    const near = agreement.filter(([other]) => Math.abs(other - length) <= 3);
    const sum = (at) => near.reduce((total, found) => total + found[at], 0);
    return [length, sum(1) / sum(2)];
  });
}

const percentOf = (share) => `${Number((100 * share).toPrecision(4))} %`;

/** The end of the axis: a round number that is not above a share. */
function roundLow(share) {
  const step = share >= 0.98 ? 0.005 : share >= 0.9 ? 0.02 : share >= 0.7 ? 0.05 : 0.1;
  return Math.max(0, Number((Math.floor(share / step + 1e-9) * step).toPrecision(6)));
}

function reachText({horizon, agreement}) {
  if (horizon === undefined) return "not measured";
  if (horizon === 0) return "not even 1 symbol";
  const longest = agreement.length ? agreement.at(-1)[0] : 0;
  return horizon >= longest ? `all lengths to ${count(horizon)}` : `up to ${counted(horizon, "symbol", "symbols")}`;
}

/** What the horizon is worth: few words prove little, even if all agree. */
function assuranceText({horizon, assured}) {
  return horizon && assured ? `With 99 % confidence, at least ${percentOf(Math.floor(1000 * assured) / 1000)} of all words of every length up to ${count(horizon)} agree.` : "";
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
        el("span", {class: "reach", title: assuranceText(rung)}, reachText(rung)),
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
    const {rungs, result, chosen} = this, rung = rungs[chosen], longest = Math.max(...rungs.map(({agreement}) => agreement?.at(-1)?.[0] || 1));
    // What matters is the rung looked at, and the result: where they are not flat, lines of rungs that are far worse leave the plot.
    const lines = rungs.map(({agreement}, i) => !agreement?.length ? null : i === chosen || i === result ? agreement.map((found) => [found[0], shareOf(found)]) : smoothed(agreement));
    const lowest = (list) => Math.min(1, ...list.flatMap((line) => (line || []).map(([, share]) => share)));
    const mine = lowest([lines[chosen], lines[result]]), least = mine > 0.999 ? 0.5 : 1 - Math.max(0.1, 1.5 * (1 - mine));
    const low = roundLow(Math.min(0.99, Math.max(lowest(lines), least)));
    const isOff = (line) => line && line.every(([, share]) => share < low), states = (i) => counted(rungs[i].states, "state", "states");
    const off = [...rungs.keys()].filter((i) => isOff(lines[i]));
    this.cut = off.length ? ` Always below ${percentOf(low)}: ${off.map(states).join(", ")}.` : "";
    if (lines.some((line) => line && !isOff(line) && line.some(([, share]) => share < low))) this.cut += ` Lines end where they fall below ${percentOf(low)}.`;
    this.plot.replaceChildren(linePlot({
      title: "Share of words on which automaton and network agree, by length, a line for every automaton",
      xTitle: "word length", yTitle: "words on which both agree", width, height: Math.round(Math.max(200, Math.min(360, width * 0.6, innerHeight * 0.32))),
      yText: percentOf, range: {x: [1, Math.max(2, longest)], y: [low, 1]},
      series: lines.flatMap((points, i) => points ? [{rung: i, name: states(i), points, class: `colour-${i % 8}${i === result ? " result" : ""}`, chosen: i === chosen,
        order: i === chosen ? 2 : i === result ? 1 : 0}] : []),
      upTo: rung.horizon && rung.horizon < longest ? {x: rung.horizon, text: `${states(chosen)}: up to ${count(rung.horizon)}`} : null,
      onPick: (line) => this.onChoose(line.rung, true), onPoint: (length) => this.point(length)}));
    this.point(null);
  }

  point(length) {
    if (length === null) {
      const lines = this.rungs.length > 1 ? `The thick line is ${this.chosen === this.result ? "the result" : "the automaton chosen"}; thin lines are the others, smoothed. ` : "";
      this.readout.textContent = `${assuranceText(this.rungs[this.chosen])} ${lines}Each point is the lower of two shares: of the random words of that length, and of the words near the language.${this.cut}`;
      return;
    }
    const shares = this.sharesAt(length), known = this.rungs.map(({states}, i) => shares[i] && `${counted(states, "state", "states")} ${shares[i]}`).filter(Boolean);
    this.readout.textContent = `Length ${length}: ${known.length ? known.join(", ") : "not measured"}.`;
  }
}
