// The network in the page gives the program's margins, bit for bit. No browser is needed for that: the
// page's own scripts are run here, on networks of every shape that make_answers wrote.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";
import vm from "node:vm";
import {pages} from "./browser.mjs";

const script = ["network_arithmetic.js", "network.js"].map((name) => fs.readFileSync(path.join(process.env.RNNALF_PAGE_SOURCES, name), "utf8")).join("\n");
const {PageNetwork, NetworkWalk, fmaFloat, fmaDouble, fmaExactly} = vm.runInThisContext(`(() => {${script}
return {PageNetwork, NetworkWalk, fmaFloat, fmaDouble, fmaExactly};})()`);

const bits = (number) => String(new BigUint64Array(new Float64Array([number]).buffer)[0]);

// ---------------------------------------------------------------- fused multiply-adds

/** a b + c, rounded once to so many digits, by whole numbers alone. */
function reference(a, b, c, digits) {
  const parts = (x) => {
    let places = 0;
    while (!Number.isInteger(x)) { x *= 2; ++places; }
    return [BigInt(x), places];
  };
  const [[wa, pa], [wb, pb], [wc, pc]] = [a, b, c].map(parts), places = Math.max(pa + pb, pc);
  const sum = (wa * wb << BigInt(places - pa - pb)) + (wc << BigInt(places - pc));
  let whole = sum < 0n ? -sum : sum;
  const drop = Math.max(0, whole.toString(2).length - digits), unit = 1n << BigInt(drop), rest = whole % unit;
  whole -= rest;
  if (2n * rest > unit || (2n * rest === unit && whole / unit % 2n === 1n)) whole += unit;
  // At most 53 digits and a power of two: exact.
  const number = Number(whole / unit) * 2 ** (drop - places);
  return sum < 0n ? -number : number;
}

/** Numbers that make rounding hard: products half way between two floats, and third numbers far below them, about as large, or opposite. */
function* hardTriples(many, digits, round) {
  let seed = 12345;
  const below = (n) => {
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    return Math.floor((seed >>> 8) / 2 ** 24 * n);
  };
  const whole = (size) => {
    let number = 1;
    for (let i = 1; i < size; ++i) number = 2 * number + below(2);
    return number;
  };
  for (let i = 0; i < many; ++i) {
    const half = below(2);  // odd factors whose product has one digit too many
    const [a, b] = [0, 1].map((more) => (half ? 2 * whole((digits >> 1) + more - 1) + 1 : whole(1 + below(digits))) * 2 ** -below(40) * (below(2) ? 1 : -1));
    const c = [() => -a * b, () => whole(digits) * 2 ** (below(90) - 60), () => a * b * 2 ** (below(120) - 80), () => whole(1 + below(4)) * 2 ** (below(60) - 30)][below(4)]();
    yield [a, b, round(c)];
  }
}

test("a fused multiply-add of floats is rounded once", () => {
  let hard = 0;
  for (const [a, b, c] of hardTriples(100000, 24, Math.fround)) {
    const expected = reference(a, b, c, 24);
    assert.equal(fmaFloat(a, b, c), expected, `${a} * ${b} + ${c}`);
    hard += Math.fround(a * b + c) !== expected;
  }
  assert.ok(hard > 20, `rounded twice, ${hard} of them are wrong`);
});

test("a fused multiply-add of doubles is rounded once", () => {
  let hard = 0;
  for (const [a, b, c] of hardTriples(30000, 53, (x) => x)) {
    const expected = reference(a, b, c, 53);
    assert.equal(fmaDouble(a, b, c), expected, `${a} * ${b} + ${c}`);
    assert.equal(fmaExactly(a, b, c), expected, `${a} * ${b} + ${c}`);
    hard += a * b + c !== expected;
  }
  assert.ok(hard > 1000, `rounded twice, ${hard} of them are wrong`);
});

test("fused multiply-adds at the ends of the range", () => {
  const least = 2 ** -1074, most = Number.MAX_VALUE, largestFloat = 2 ** 128 - 2 ** 104;
  assert.equal(fmaDouble(2 ** -600, 2 ** -474, 0), least);
  assert.equal(fmaDouble(2 ** -600, 2 ** -475, 0), 0);             // half of it, to even
  assert.equal(fmaDouble(2 ** -600, 1.5 * 2 ** -475, 0), least);
  assert.equal(fmaDouble(2 ** 1000, 2 ** 100, -Infinity), -Infinity);
  assert.equal(fmaDouble(most, 2, -most), most);                   // the product alone is too large
  assert.equal(fmaDouble(most, 2, 0), Infinity);
  assert.equal(fmaDouble(2 ** -1060, 3, least), 3 * 2 ** -1060 + least);
  assert.equal(bits(fmaDouble(-1, 0, 0)), bits(0));
  assert.equal(fmaFloat(2 ** 64, 2 ** 64, 0), Infinity);
  assert.equal(fmaFloat(2 ** 64, 2 ** 64, -(2 ** 103)), Infinity);  // half way to the largest float: to even
  assert.equal(fmaFloat(2 ** 64 - 2 ** 40, 2 ** 64, 2 ** 103 - 2 ** 79), largestFloat);
  assert.equal(fmaFloat(2 ** -100, 2 ** -50, 0), 0);
  assert.equal(fmaFloat(2 ** -100, 1.5 * 2 ** -50, 0), 2 ** -149);
});

// ---------------------------------------------------------------- whole networks

const networks = JSON.parse(fs.readFileSync(path.join(pages, "answers.json"), "utf8"));

for (const {name, network, words} of networks) {
  test(`${name}: every margin has the program's bits`, () => {
    const walk = new NetworkWalk(new PageNetwork(network), null);
    for (const {word, margins, answers} of words) {
      walk.begin(word);
      while (!walk.isDone) walk.goOn(1000);
      const found = walk.after.map(({answer, margin}) => (answer === undefined ? "none" : bits(margin)));
      const off = found.findIndex((margin, i) => margin !== margins[i]);
      assert.equal(off, -1, `after ${off} of ${word.length} symbols`);
      assert.equal(found.length, margins.length);
      assert.deepEqual(walk.after.map(({answer}) => (answer === undefined ? null : Number(answer))), answers);
    }
  });
}

test("there are networks of every form", () => {
  for (const form of ["elman-tanh", "elman-relu", "gru", "gru-reset-before", "lstm"]) {
    assert.ok(networks.some(({name}) => name.includes(` ${form},`)), form);
  }
  const operations = new Set(networks.flatMap(({network}) => network.step || []).map(({operation}) => operation));
  for (const operation of ["symbol", "state", "constant", "product", "activate", "add", "subtract", "multiply", "divide", "maximum", "join", "part"]) {
    assert.ok(operations.has(operation), operation);
  }
  const activations = new Set(networks.flatMap(({network}) => network.head).map(({activation}) => activation));
  assert.ok(activations.size >= 12, [...activations].join(" "));
  assert.ok(networks.some(({network}) => network.head.some(({normalise}) => normalise !== null)));
  assert.ok(networks.some(({network}) => network.step.some(({weights}) => weights?.values[0] === "d")));
  assert.ok(networks.some(({network}) => network.answers > 2));
  assert.ok(networks.some(({words}) => words.some(({margins}) => margins.includes("none"))));
  assert.ok(networks.some(({network}) => network.begin.length && network.end.length && network.over.length < network.symbols));
});

test("the empty word has the answer that it was given", () => {
  const page = new PageNetwork(networks[0].network);
  for (const given of [true, false]) assert.equal(new NetworkWalk(page, given).after[0].answer, given);
});
