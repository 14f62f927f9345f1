"use strict";
// Elements, numbers and words. Text from networks only ever becomes text nodes or attribute values
// set by name: nothing of it is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const byId = (id) => document.getElementById(id);

/** Reads a JSON block of the page. */
const data = (id) => JSON.parse(byId(id).textContent);

const count = (number) => number.toLocaleString("en-US");
const counted = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;
// What classes are called; empty: by their numbers.
let classNames = [];
const setClassNames = (names) => { classNames = names; };
const className = (number) => classNames[number] ?? String(number);
// An answer is true or false; of more than two, the number of a class.
const answer = (given) => (typeof given === "number" ? `${classNames.length ? "" : "class "}${className(given)}` : given ? "accept" : "reject");
const says = (given) => (typeof given === "number" ? `answers ${answer(given)}` : `${answer(given)}s`);
/** The answer of a hypothesis in a state. */
const answerIn = ({accepting, classes}, q) => (classes ? classes[q] : accepting[q] === "1");
/** The network's answer at a point. */
const answerAt = ({accepted, classes}, i) => (classes ? classes[i] : accepted[i] === "1");

/** The middle of a long name goes: chains of oracles begin alike and often end alike. */
function shortened(name, most) {
  const all = Array.from(name);
  return all.length <= most ? name : `${all.slice(0, Math.ceil(most / 2)).join("")}…${all.slice(1 - Math.floor(most / 2)).join("")}`;
}

function seconds(time) {
  if (time < 0.9995) return `${(time * 1000).toFixed(time < 0.00995 ? 1 : 0)} ms`;
  if (time < 99.5) return `${time.toFixed(time < 9.95 ? 1 : 0)} s`;
  const whole = Math.round(time);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Tells screen readers. */
function announce(text) {
  byId("announcement").textContent = text;
}

/** A button that goes through the themes: as the system has it, light, dark. */
function themeButton(button, onChange) {
  const names = ["auto", "light", "dark"];
  let chosen = 0;
  const show = () => {
    if (chosen === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = names[chosen];
    button.textContent = `Theme: ${names[chosen]}`;
    onChange();
  };
  button.addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    show();
    announce(`Theme ${names[chosen]}`);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
  show();
}

/** A button that copies a text, or selects it where copying is not allowed. */
function copyButton(button, source) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      announce("Copied");
    } catch {
      getSelection().selectAllChildren(source);
      announce("Selected; copy it with your keyboard");
    }
  });
}

/** A table; cells are texts, numbers or elements. Rows: {cells, class}. */
function table(titles, rows, caption) {
  const numeric = titles.map((_, i) => rows.length > 0 && rows.every(({cells}) => typeof cells[i] === "number"));
  return el("table", {},
    el("caption", {class: "hidden-text"}, caption),
    el("thead", {}, el("tr", {}, titles.map((title, i) => el("th", {scope: "col", class: numeric[i] ? "number" : null}, title)))),
    el("tbody", {}, rows.map((row) => el("tr", {class: row.class || null},
      row.cells.map((cell, i) => el("td", {class: numeric[i] ? "number" : null},
        typeof cell === "number" ? count(cell) : cell))))));
}
