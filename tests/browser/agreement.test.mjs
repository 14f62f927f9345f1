// The page and the program agree: 10,000 words on 12 networks, in the browser against `rnnalf classify`. Two of the
// networks overflow, so that some of their words have no answer.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";
import {launch, open, pages} from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// Its own files, beside the pages that other tests look at.
const asked = path.join(pages, "asked");
fs.mkdirSync(asked, {recursive: true});

const WORDS = 840, LONGEST = 12;

/** A network in the file format that is easiest to write: floats behind a header in JSON. */
function writeSafetensors(file, tensors) {
  const header = {}, values = [];
  for (const [name, shape, numbers] of tensors) {
    header[name] = {dtype: "F32", shape, data_offsets: [4 * values.length, 4 * (values.length + numbers.length)]};
    values.push(...numbers);
  }
  const text = Buffer.from(JSON.stringify(header)), size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  fs.writeFileSync(file, Buffer.concat([size, text, Buffer.from(Float32Array.from(values).buffer)]));
}

/** h' = relu(growth h + (1 at a 1)): infinite some symbols after the first 1, and what the head makes of that is NaN. */
function overflowing(name, growth, head) {
  const units = growth.length, file = path.join(pages, `${name}.safetensors`), zeros = (n) => Array(n).fill(0);
  writeSafetensors(file, [
    ["rnn.weight_ih_l0", [units, 2], growth.flatMap(() => [0, 1])],
    ["rnn.weight_hh_l0", [units, units], growth.flatMap((g, i) => growth.map((_, j) => (i === j ? g : 0)))],
    ["rnn.bias_ih_l0", [units], zeros(units)], ["rnn.bias_hh_l0", [units], zeros(units)],
    ["fc.weight", [head.length, units], head.flat()], ["fc.bias", [head.length], head.map((_, i) => 0.1 * (i + 1))],
  ]);
  return {page: `${name}.html`, file, longest: 60, options: ["--cell", "elman-relu", "--alphabet", "01"], overflows: true};
}

function rnnalf(...options) {
  const {status, stderr} = spawnSync(process.env.RNNALF_PROGRAM, options, {encoding: "utf8"});
  assert.ok(status === 0 || status === 3, `rnnalf ${options.join(" ")}: ${status}: ${stderr}`);
}

/** Words of 1 to `longest` symbols, from a fixed seed. */
function randomWords(alphabet, longest) {
  let seed = 4711;
  const below = (n) => {
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    return Math.floor((seed >>> 8) / 2 ** 24 * n);
  };
  return Array.from({length: WORDS}, (_, i) => Array.from({length: 1 + i % longest}, () => below(alphabet)));
}

const shipped = fs.readdirSync(pages).filter((name) => name.startsWith("network_")).sort().slice(0, 10).map((page) =>
  ({page, file: path.join(process.env.RNNALF_NETWORKS, `${page.slice(8, -5)}.onnx`), longest: LONGEST, options: []}));
const networks = [...shipped, overflowing("overflow_logit", [60, 61], [[1, -1]]), overflowing("overflow_classes", [60, 61, 62], [[1, -1, 0], [0, 1, -1], [-1, 0, 1]])];

test("there are 12 networks and 10,000 words", () => {
  assert.equal(networks.length, 12);
  assert.ok(networks.length * WORDS >= 10000);
});

for (const {page: name, file, longest, options, overflows} of networks) {
  test(`${name}: the page answers every word as the program does`, async () => {
    if (overflows) rnnalf("extract", file, ...options, "--max-rounds", "4", "--quiet", "--report", path.join(pages, name));
    const page = await open(browser, name);
    const alphabet = await page.evaluate(() => run.alphabet), separator = alphabet.some((symbol) => [...symbol].length > 1) ? " " : "";
    const words = randomWords(alphabet.length, longest);
    const list = path.join(asked, `${name}.words`), found = path.join(asked, `${name}.answers.json`);
    fs.writeFileSync(list, words.map((word) => word.map((symbol) => alphabet[symbol]).join(separator)).join("\n") + "\n");
    rnnalf("classify", file, ...options, "--words", list, "--json", found);
    const program = JSON.parse(fs.readFileSync(found, "utf8")).words;
    assert.equal(program.length, words.length);
    const inPage = await page.evaluate((asked) => {
      // In order, so that words with a common prefix follow each other.
      const order = asked.map((_, i) => i).sort((a, b) => (asked[a].join() < asked[b].join() ? -1 : 1)), answers = [];
      for (const i of order) {
        network.begin(asked[i]);
        while (!network.isDone) network.goOn(1000);
        const {answer, probability} = network.after.at(-1);
        answers[i] = {answer: answer === undefined ? null : answer, probability: Number.isNaN(probability) ? null : probability};
      }
      return answers;
    }, words);
    let unanswered = 0;
    program.forEach(({accept, class: number, probability}, i) => {
      const answer = accept === undefined ? number : accept, word = words[i].join(" ");
      assert.equal(inPage[i].answer, answer, word);
      // The last step from a score to a probability is an exp of the library of each.
      if (probability === null) assert.equal(inPage[i].probability, null, word);
      else assert.ok(Math.abs(inPage[i].probability - probability) <= 1e-12, `${word}: ${inPage[i].probability}, ${probability}`);
      unanswered += answer === null;
    });
    if (overflows) {
      assert.ok(unanswered > 100 && unanswered < WORDS - 100, `${unanswered} without an answer`);
      assert.match(await page.locator("#verdict").innerText(), /The network gives no answer on /);
    } else {
      assert.equal(unanswered, 0);
    }
    assert.deepEqual(page.faults, []);
    await page.close();
  });
}
