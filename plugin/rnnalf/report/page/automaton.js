// The automaton in its viewport: drawn, panned, zoomed, a walk marked.

/** Graphviz's SVG as an element: parsed as XML, then only drawing elements and attributes are kept. */
function graphvizPicture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const elements = new Set(["svg", "g", "title", "path", "polygon", "ellipse", "circle", "text", "a"]);
  const attributes = new Set(["viewBox", "id", "class", "transform", "d", "points", "cx", "cy", "rx", "ry", "r", "x", "y",
    "text-anchor", "font-size", "stroke-dasharray", "stroke-width", "textLength"]);
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !elements.has(node.localName)) return null;
    // Anchors only carry tooltips here.
    const tooltip = node.localName === "a" ? node.getAttributeNS("http://www.w3.org/1999/xlink", "title") : null;
    const element = svg(node.localName === "a" ? "g" : node.localName, {});
    for (const {name, value} of node.attributes) if (attributes.has(name)) element.setAttribute(name, value);
    if (tooltip && tooltip.trim()) element.append(svg("title", {}, tooltip));
    for (const child of node.childNodes) {
      // Names of nodes and edges: the tooltips say more.
      if (child.localName === "title") continue;
      const copied = copy(child);
      if (copied) element.append(copied);
    }
    return element;
  };
  return copy(parsed.documentElement);
}

class AutomatonView {
  constructor(viewport) {
    this.viewport = viewport;
    this.pointers = new Map();
    viewport.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event);
    }, {passive: false});
    viewport.addEventListener("pointerdown", (event) => {
      viewport.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, event);
      viewport.classList.add("dragging");
    });
    viewport.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      viewport.addEventListener(name, (event) => {
        this.pointers.delete(event.pointerId);
        viewport.classList.toggle("dragging", this.pointers.size > 0);
      });
    }
    viewport.addEventListener("keydown", (event) => this.key(event));
  }

  show(picture, description) {
    this.picture = picture;
    this.whole = picture.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    for (const name of ["width", "height"]) picture.removeAttribute(name);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", description);
    this.viewport.replaceChildren(picture);
    this.fit();
  }

  fit() {
    // Small automata are not blown up beyond twice their size.
    const {clientWidth, clientHeight} = this.viewport;
    const [x, y, width, height] = this.whole;
    const scale = Math.max(1, Math.min(clientWidth / width, clientHeight / height) / 1.6);
    this.box = [x - width * (scale - 1) / 2, y - height * (scale - 1) / 2, width * scale, height * scale];
    this.apply();
  }

  apply() {
    this.picture.setAttribute("viewBox", this.box.map((value) => value.toFixed(2)).join(" "));
  }

  /** Units of the drawing per pixel. */
  unit() {
    return Math.max(this.box[2] / this.viewport.clientWidth, this.box[3] / this.viewport.clientHeight);
  }

  zoom(factor, at) {
    const limited = Math.min(Math.max(factor, this.box[2] / (this.whole[2] * 8)), this.box[2] / (this.whole[2] / 60));
    const frame = this.viewport.getBoundingClientRect();
    // The point under the pointer stays where it is.
    const px = at ? (at.clientX - frame.left) / frame.width : 0.5, py = at ? (at.clientY - frame.top) / frame.height : 0.5;
    const [x, y, width, height] = this.box;
    this.box = [x + width * px * (1 - 1 / limited), y + height * py * (1 - 1 / limited), width / limited, height / limited];
    this.apply();
  }

  pan(dx, dy) {
    const unit = this.unit();
    this.box[0] -= dx * unit;
    this.box[1] -= dy * unit;
    this.apply();
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.pointers.values()].filter((pointer) => pointer.pointerId !== event.pointerId);
    this.pointers.set(event.pointerId, event);
    if (others.length === 0) return this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    const distance = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    this.zoom(distance(event, others[0]) / Math.max(1, distance(before, others[0])), event);
  }

  key(event) {
    const moves = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
    if (moves[event.key]) this.pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0" || event.key === "Home") this.fit();
    else return;
    event.preventDefault();
  }

  /** Marks a state and the arrow that led to it; none with state null. */
  mark(state, from) {
    for (const old of this.picture.querySelectorAll(".here, .path")) old.classList.remove("here", "path");
    if (state === null) return;
    this.picture.querySelector(`[id="s${state}"]`)?.classList.add("here");
    if (from !== null) this.picture.querySelector(`[id="s${from}-s${state}"]`)?.classList.add("path");
  }
}
