// The automaton in its box: drawn, moved, zoomed, a walk marked.

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

const LEAST_LETTERS = 9;   // pixels on the screen: smaller ones cannot be read
const FINE_LETTERS = 10.5; // units of the drawing: smaller ones are details, left out where they could not be read
const LARGEST_SCALE = 1.5, MARGIN = 10;

/** The drawing in a box that scrolls: at a size that can be read, even where not all of it is in sight then. */
class AutomatonView {
  constructor(viewport, onChange) {
    Object.assign(this, {viewport, onChange, scale: 1, picture: null});
    viewport.addEventListener("wheel", (event) => {
      // A page that scrolls past the drawing is not held up by it.
      if (!event.ctrlKey && document.activeElement !== viewport) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event);
    }, {passive: false});
    // Fingers scroll it as they scroll everything.
    viewport.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0 || event.target === viewport) return;
      viewport.setPointerCapture(event.pointerId);
      this.held = event;
      viewport.classList.add("dragging");
    });
    viewport.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      viewport.scrollBy(this.held.clientX - event.clientX, this.held.clientY - event.clientY);
      this.held = event;
    });
    for (const name of ["pointerup", "pointercancel"]) {
      viewport.addEventListener(name, () => {
        this.held = null;
        viewport.classList.remove("dragging");
      });
    }
    viewport.addEventListener("keydown", (event) => this.key(event));
    let width = viewport.clientWidth;
    new ResizeObserver(() => {
      if (viewport.clientWidth === width) return;
      width = viewport.clientWidth;
      if (this.picture) this.begin();
    }).observe(viewport);
  }

  /** Of a drawing: {width, height, readable: the least scale at which its labels can be read, fine: its smallest letters}. */
  static measure(picture) {
    const [, , width, height] = picture.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    const letters = [...picture.querySelectorAll("text")].map((text) => parseFloat(text.getAttribute("font-size")) || 12);
    return {width, height, readable: LEAST_LETTERS / Math.min(12, ...letters.filter((size) => size >= FINE_LETTERS)),
      fine: Math.min(...letters, FINE_LETTERS)};
  }

  /** How high the box may be. */
  static highest() {
    return Math.round(Math.max(260, Math.min(innerHeight * 0.57, 640)));
  }

  /** The largest scale at which all of a drawing is in a box so wide. */
  static scaleIn(boxWidth, {width, height}) {
    return Math.min((boxWidth - 2 * MARGIN) / width, (AutomatonView.highest() - 2 * MARGIN) / height, LARGEST_SCALE);
  }

  show(picture, description) {
    this.picture = picture;
    this.size = AutomatonView.measure(picture);
    for (const text of picture.querySelectorAll("text")) {
      if (parseFloat(text.getAttribute("font-size")) < FINE_LETTERS) text.classList.add("fine");
    }
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", description);
    this.viewport.replaceChildren(picture);
    this.begin();
  }

  /** All of it where that can be read, else the part around the initial state. */
  begin() {
    this.fit(Math.max(AutomatonView.scaleIn(this.viewport.clientWidth, this.size), Math.min(this.size.readable, LARGEST_SCALE)));
  }

  showAll() {
    this.fit(AutomatonView.scaleIn(this.viewport.clientWidth, this.size));
  }

  /** Whether all of it can be in sight and be read. */
  get isReadable() {
    return AutomatonView.scaleIn(this.viewport.clientWidth, this.size) >= this.size.readable * 0.999;
  }

  get isCut() {
    const {viewport} = this;
    return viewport.scrollWidth > viewport.clientWidth + 1 || viewport.scrollHeight > viewport.clientHeight + 1;
  }

  /** At this scale, in a box as high as that needs. */
  fit(scale) {
    const {viewport, size} = this;
    if (viewport.clientWidth <= 2 * MARGIN) return;  // not laid out yet
    const wanted = size.height * scale + 2 * MARGIN, scrolls = size.width * scale + 2 * MARGIN > viewport.clientWidth + 1;
    viewport.style.height = `${Math.round(Math.min(AutomatonView.highest(), Math.max(150, wanted + (scrolls ? 18 : 2))))}px`;
    this.setScale(scale);
    this.bringIntoSight(this.picture.querySelector('[id="s0"], .start'));
  }

  setScale(scale) {
    this.scale = scale;
    this.picture.setAttribute("width", (this.size.width * scale).toFixed(1));
    this.picture.setAttribute("height", (this.size.height * scale).toFixed(1));
    this.picture.classList.toggle("far", scale * this.size.fine < LEAST_LETTERS);
    this.onChange?.();
  }

  zoom(factor, at) {
    const whole = AutomatonView.scaleIn(this.viewport.clientWidth, this.size), before = this.picture.getBoundingClientRect(), frame = this.viewport.getBoundingClientRect();
    const x = at ? at.clientX : frame.left + frame.width / 2, y = at ? at.clientY : frame.top + frame.height / 2;
    this.setScale(Math.min(Math.max(this.scale * factor, whole / 4), Math.max(8, whole)));
    // The point under the pointer stays where it is.
    const after = this.picture.getBoundingClientRect();
    this.viewport.scrollBy(after.left + (x - before.left) / before.width * after.width - x, after.top + (y - before.top) / before.height * after.height - y);
  }

  key(event) {
    const moves = {ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60]};
    if (moves[event.key] && this.isCut) this.viewport.scrollBy(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0" || event.key === "Home") this.showAll();
    else return;
    event.preventDefault();
  }

  bringIntoSight(element) {
    if (!element || !this.isCut) return;
    const frame = this.viewport.getBoundingClientRect(), at = element.getBoundingClientRect(), near = 20;
    const beyond = at.left < frame.left + near || at.right > frame.right - near || at.top < frame.top + near || at.bottom > frame.bottom - near;
    if (beyond) this.viewport.scrollBy((at.left + at.right - frame.left - frame.right) / 2, (at.top + at.bottom - frame.top - frame.bottom) / 2);
  }

  /** Marks the element of a state, and the arrow from that of another one; none with null. */
  mark(id, from) {
    for (const old of this.picture.querySelectorAll(".here, .path")) old.classList.remove("here", "path");
    if (id === null) return;
    const here = this.picture.querySelector(`[id="${id}"]`);
    here?.classList.add("here");
    this.bringIntoSight(here);
    if (from !== null) this.picture.querySelector(`[id="${from}-${id}"]`)?.classList.add("path");
  }
}
