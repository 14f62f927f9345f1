import assert from "node:assert/strict";
import {after, before} from "node:test";
import {launch, on as onPage, text} from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());
const on = onPage(() => browser);

const column = async (page, name) => {
  const titles = await page.locator("#cells th").allInnerTexts();
  const at = titles.findIndex((title) => title.startsWith(name));
  return page.locator(`#cells tbody td:nth-child(${at + 1})`).allInnerTexts();
};

on("comparison.html", "what all runs have in common is said once", async (page) => {
  assert.match(await text(page, "#summary"), /^16 runs over 2 networks, 1 without a result\. method: abstraction-refinement$/);
  assert.equal((await page.locator("#cells th").allInnerTexts()).includes("method"), false);
});

on("comparison.html", "the table is sorted by a click, up and then down, and says so", async (page) => {
  const numbers = async () => (await column(page, "seconds")).filter(Boolean).map(Number);
  await page.getByRole("button", {name: "seconds"}).click();
  const up = await numbers();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  assert.equal(await page.locator("th[aria-sort=ascending]").innerText(), "seconds ▲");
  await page.getByRole("button", {name: "seconds"}).press("Enter");
  assert.deepEqual(await numbers(), [...up].reverse());
  assert.equal(await page.locator("#announcement").textContent(), "Sorted by seconds, descending");
  assert.equal((await column(page, "seconds")).at(-1), "");  // the run without a result stays last
});

on("comparison.html", "one network can be chosen", async (page) => {
  assert.equal(await page.locator("#cells tbody tr").count(), 16);
  await page.getByLabel("Network", {exact: true}).selectOption("a.onnx");
  assert.equal(await page.locator("#cells tbody tr").count(), 8);
  assert.deepEqual([...new Set(await column(page, "network"))], ["a.onnx"]);
});

on("comparison.html", "every network has its plots of time and size, with medians over the seeds", async (page) => {
  assert.equal(await page.locator("#plots svg").count(), 4);
  const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({id}) => id));
  assert.equal(new Set(ids).size, ids.length);
  await page.locator("#plots summary").first().click();
  // The first two runs: 0.25 * (5, 10) seconds and 3 + (7, 14) % 11 states.
  assert.match(await page.locator("#plots tbody tr").first().innerText(), /^lstar · abstraction\s+1\.88\s+8$/);
});

on("comparison.html", "text from files stays text", async (page) => {
  assert.match(await text(page, "#cells"), /<b>\.onnx/);
  assert.match(await text(page, "#cells"), /<script>window\.hurt=1<\/script>/);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});
