import assert from "node:assert/strict";
import {after, before} from "node:test";
import {launch, on as onPage, text} from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());
const on = onPage(() => browser);

/** The cells of a column; the mark of the best run is not part of them. */
const column = async (page, name) => {
  const titles = await page.locator("#cells th").allInnerTexts();
  const at = titles.findIndex((title) => title.replaceAll("\u00ad", "").startsWith(name));
  return (await page.locator(`#cells tbody td:nth-child(${at + 1})`).allInnerTexts()).map((cell) => cell.replace(/^★ /, ""));
};

on("comparison.html", "what all runs have in common is said once", async (page) => {
  assert.match(await text(page, "#summary"), /^16 runs over 2 networks\. All: method abstraction-refinement\.$/);
  assert.equal((await page.locator("#cells th").allInnerTexts()).includes("method"), false);
});

on("comparison.html", "the table is sorted by a click, up and then down, and says so", async (page) => {
  const numbers = async () => (await column(page, "seconds")).map(Number);
  await page.getByRole("button", {name: "seconds"}).click();
  const up = await numbers();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  assert.equal(await page.locator("th[aria-sort=ascending]").innerText(), "seconds ▲");
  await page.getByRole("button", {name: "seconds"}).press("Enter");
  assert.deepEqual(await numbers(), [...up].reverse());
  assert.equal(await page.locator("#announcement").textContent(), "Sorted by seconds, descending");
});

on("comparison.html", "runs without the number sorted by stay last, up and down", async (page) => {
  for (let i = 0; i < 2; ++i) {
    await page.getByRole("button", {name: "milestone"}).click();
    const found = await column(page, "milestone");
    assert.deepEqual([found.filter(Boolean).length, found.at(-1)], [15, ""]);
  }
});

on("comparison.html", "the table is sorted by keyboard alone, and the focus stays", async (page) => {
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.dataset.column) === "states") break;
  }
  await page.keyboard.press("Enter");
  const states = (await column(page, "states")).map(Number);
  assert.deepEqual(states, [...states].sort((a, b) => a - b));
  assert.equal(await page.evaluate(() => document.activeElement.dataset.column), "states");
  await page.keyboard.press("Space");
  assert.deepEqual((await column(page, "states")).map(Number), [...states].reverse());
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
  assert.match(await page.locator("#plots tbody tr").first().innerText(), /^lstar · A\s+1\.88\s+8$/);
});

on("comparison.html", "the best run of each network is marked: most agreement, then fewest states", async (page) => {
  assert.match(await text(page, "#best"), /^★ The best run of each network: most agreement, then fewest states, then least time\.$/);
  const rows = await page.locator("#cells tbody tr.best").allInnerTexts();
  assert.equal(rows.length, 2);
  // Agreement falls from run to run, so the first one of each network has the most.
  assert.match(rows[0], /^★ a\.onnx\s.*\s99\.90 %\s/s);
  assert.match(rows[1], /\s99\.10 %\s/);
});

on("comparison.html", "long chains of oracles are letters, in table and plots, which are explained above", async (page) => {
  assert.deepEqual([...new Set(await column(page, "oracle"))], ["A", "B"]);
  const legend = page.locator("#oracle-names");
  assert.deepEqual(await legend.locator("dt").allInnerTexts(), ["A", "B"]);
  assert.deepEqual(await legend.locator("dd").allInnerTexts(), ["abstraction", "<script>window.hurt=1</script>,abstraction:raise=8,pumping:words=400,random"]);
  assert.match(await page.locator("#plots svg").first().textContent(), /ttt · B/);
});

on("comparison.html", "every column can be reached on a phone", async (page) => {
  assert.ok(await page.locator("#sideways").isVisible());
  await page.locator("#cells").evaluate((cells) => cells.scrollTo(cells.scrollWidth, 0));
  const last = await page.locator("#cells thead th").last().boundingBox();
  assert.ok(last.x >= 0 && last.x + last.width <= 391, `${last.x} + ${last.width}`);
  const first = await page.locator("#cells tbody td").first().boundingBox();
  assert.ok(first.x >= 0 && first.x + first.width < last.x, "the network's name stays in sight");
}, {viewport: {width: 390, height: 844}});

on("comparison.html", "text from files stays text", async (page) => {
  assert.match(await text(page, "#cells"), /<b>\\u202e\.onnx/);
  assert.match(await page.locator("#oracle-names").textContent(), /<script>window\.hurt=1<\/script>/);
  assert.match(await text(page, "#cells"), /<\/script><img src=x onerror=window\.hurt=2>/);
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /\u202e/);
  assert.equal(await page.locator("#cells b, #cells script, img").count(), 0);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});

on("comparison.html", "shares are percent and rounded down, answers yes or no", async (page) => {
  assert.equal((await column(page, "agreement"))[0], "99.90 %");  // 999 of 1000
  assert.deepEqual((await column(page, "equals target")).slice(0, 2), ["no", "yes"]);
  assert.match(await text(page, "#measured"), /1,000 uniform words of each length 10 on which DFA and network agree/);
});

for (const width of [390, 1200]) {
  on("comparison.html", `nothing is wider than a screen of ${width} pixels`, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
  }, {viewport: {width, height: 800}});
}

// ---------------------------------------------------------------- the page that the program writes

on("compared.html", "rnnalf compare --report opens with its runs, sorts and does nothing else", async (page) => {
  assert.match(await text(page, "#summary"), /^8 runs over 2 networks\./);
  assert.equal(await page.locator("#cells tbody tr").count(), 8);
  assert.equal(await page.locator("#plots svg").count(), 4);
  await page.getByRole("button", {name: "states"}).click();
  const states = (await column(page, "states")).map(Number);
  assert.deepEqual(states, [...states].sort((a, b) => a - b));
  assert.match(await text(page, "#cells"), /<img src=x onerror=window\.hurt=1>\.onnx/);
  assert.match(await text(page, "#command"), /^rnnalf compare .*--learner lstar --learner ttt .*--repeat 2/);
  assert.doesNotMatch(await text(page, "#command"), /--report|--quiet/);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});
