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
      // A page that scrolls past the drawing is not held up by it.
      if (!event.ctrlKey && document.activeElement !== viewport) return;
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
    let width = viewport.clientWidth;
    new ResizeObserver(() => {
      if (viewport.clientWidth === width) return;
      width = viewport.clientWidth;
      if (this.picture) this.fit();
    }).observe(viewport);
  }

  show(picture, description) {
    this.picture = picture;
    this.whole = picture.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    for (const name of ["width", "height"]) picture.removeAttribute(name);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", description);
    this.viewport.replaceChildren(picture);
    this.box = this.whole;
    this.fit();
  }

  /** Shows all of it, in a box as high as the drawing needs. */
  fit() {
    const {viewport, whole: [x, y, width, height]} = this, largest = 1.5, margin = 10;
    if (viewport.clientWidth <= 2 * margin) return;  // not laid out yet
    const highest = Math.max(240, Math.min(innerHeight * 0.42, 500));
    const scale = Math.min((viewport.clientWidth - 2 * margin) / width, (highest - 2 * margin) / height, largest);
    viewport.style.height = `${Math.round(Math.max(150, height * scale + 2 * margin))}px`;
    const boxWidth = viewport.clientWidth / scale, boxHeight = viewport.clientHeight / scale;
    this.box = [x - (boxWidth - width) / 2, y - (boxHeight - height) / 2, boxWidth, boxHeight];
    this.apply();
    viewport.classList.remove("moved");
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
    this.viewport.classList.add("moved");
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

  /** Marks the element of a state, and the arrow from that of another one; none with null. */
  mark(id, from) {
    for (const old of this.picture.querySelectorAll(".here, .path")) old.classList.remove("here", "path");
    if (id === null) return;
    this.picture.querySelector(`[id="${id}"]`)?.classList.add("here");
    if (from !== null) this.picture.querySelector(`[id="${from}-${id}"]`)?.classList.add("path");
  }
}
