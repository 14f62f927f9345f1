// The R-states in their two directions of largest variance.

class PointView {
  constructor(canvas, points, shownWord) {
    this.canvas = canvas;
    this.points = points;
    this.shownWord = shownWord;
    this.colouring = "accepted";
    this.chosen = -1;
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("keydown", (event) => {
      const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 20, PageUp: -20};
      if (!(event.key in steps)) return;
      event.preventDefault();
      const size = this.points.x.length;
      this.choose(((this.chosen + steps[event.key]) % size + size) % size, true);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  colour(i) {
    if (this.colouring === "accepted") {
      const given = answerAt(this.points, i);
      return typeof given === "number" ? manyColours(given) : given ? this.accepts : this.rejects;
    }
    return manyColours(this.points[this.colouring][i]);
  }

  setColouring(name) {
    this.colouring = name;
    this.draw();
  }

  draw() {
    const {canvas, points} = this, ratio = devicePixelRatio || 1;
    const width = canvas.width = Math.round(canvas.clientWidth * ratio);
    const height = canvas.height = Math.round(canvas.clientHeight * ratio);
    if (!width || !points.x.length) return;
    const context = canvas.getContext("2d"), margin = 24 * ratio;
    const span = (values) => {
      const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
      return [low, high > low ? high - low : 1];
    };
    const [x0, dx] = span(points.x), [y0, dy] = span(points.y);
    this.at = points.x.map((x, i) => [margin + (x - x0) / dx * (width - 2 * margin), height - margin - (points.y[i] - y0) / dy * (height - 2 * margin)]);
    const colours = getComputedStyle(document.documentElement);
    [this.accepts, this.rejects] = ["--accepts", "--rejects"].map((name) => colours.getPropertyValue(name));
    context.clearRect(0, 0, width, height);
    context.lineWidth = 1.4 * ratio;
    context.globalAlpha = points.x.length > 800 ? 0.65 : 0.85;
    const radius = (points.x.length > 800 ? 3 : points.x.length > 200 ? 4 : 5.5) * ratio;
    this.at.forEach(([x, y], i) => {
      context.fillStyle = context.strokeStyle = this.colour(i);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      // Rings and discs can be told apart without colours, too.
      if (this.colouring === "accepted" && answerAt(points, i) === false) context.stroke();
      else context.fill();
    });
    context.globalAlpha = 1;
    if (this.chosen < 0) return;
    context.strokeStyle = colours.getPropertyValue("--path");
    context.lineWidth = 3 * ratio;
    context.beginPath();
    context.arc(...this.at[this.chosen], 9 * ratio, 0, 2 * Math.PI);
    context.stroke();
  }

  hover(event) {
    const frame = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    const x = (event.clientX - frame.left) * ratio, y = (event.clientY - frame.top) * ratio;
    let best = -1, nearest = (14 * ratio) ** 2;
    this.at.forEach(([px, py], i) => {
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < nearest) [best, nearest] = [i, distance];
    });
    if (best >= 0 && best !== this.chosen) this.choose(best, false);
  }

  choose(i, aloud) {
    this.chosen = i;
    this.draw();
    const {points} = this;
    const text = `: L-state s${points.l[i]}, A-state ${points.a[i]}, network ${says(answerAt(points, i))}`;
    byId("point-detail").replaceChildren("word ", el("span", {class: "word"}, this.shownWord(points.word[i])), text);
    if (aloud) announce(byId("point-detail").textContent);
  }
}
