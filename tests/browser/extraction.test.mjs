import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";
import {launch, on as onPage, open, pages, text} from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const on = onPage(() => browser);
const box = (page) => page.locator("#viewport svg").getAttribute("viewBox");
const setRange = (page, selector, value) => page.locator(selector).evaluate((range, v) => {
  range.value = v;
  range.dispatchEvent(new Event("input"));
}, value);

// ---------------------------------------------------------------- the tests themselves

test("faults are seen: a page that logs, throws, asks and requests is found out", async () => {
  const file = path.join(pages, "faulty.html");
  fs.writeFileSync(file, "<script>console.error('logged'); setTimeout(() => { throw Error('thrown') }); alert('asked')</script><img src='missing.png'>");
  const page = await open(browser, "faulty.html");
  await page.waitForTimeout(200);
  const faults = page.faults.join("\n");
  for (const fault of ["logged", "thrown", "asked", "missing.png"]) assert.match(faults, new RegExp(fault));
  await page.close();
});

// ---------------------------------------------------------------- reports of real runs

for (const file of fs.readdirSync(pages).filter((name) => name.startsWith("network_"))) {
  on(file, "opens, and every hypothesis can be shown", async (page) => {
    assert.match(await text(page, "#verdict"), /explains? the network/);
    const last = Number(await page.locator("#hypothesis").getAttribute("max"));
    for (const i of new Set([0, Math.floor(last / 2), last])) {
      await setRange(page, "#hypothesis", i);
      assert.match(await text(page, "#hypothesis-text"), new RegExp(`^Hypothesis ${i + 1} of ${last + 1}`));
      const states = Number((await text(page, "#hypothesis-text")).match(/([\d,]+) states?/)[1].replace(",", ""));
      const drawn = await page.locator("#viewport .state").count();
      assert.ok(drawn === states || (drawn === 0 && (await text(page, "#viewport")).includes("not in the page")), `${drawn} of ${states} states drawn`);
    }
    assert.ok(await page.locator("#points").isVisible());
  });
}
test("there is a report of every shipped network", () => {
  assert.ok(fs.readdirSync(pages).filter((name) => name.startsWith("network_")).length >= 5);
});

// ---------------------------------------------------------------- hypotheses

on("small.html", "the slider goes through the hypotheses with what refuted them", async (page) => {
  assert.match(await text(page, "#hypothesis-text"), /Hypothesis 3 of 3: 4 states.*The result/);
  await page.locator("#hypothesis").focus();
  await page.keyboard.press("ArrowLeft");
  assert.match(await text(page, "#hypothesis-text"), /Hypothesis 2 of 3: 2 states.*Refuted by 11010, which the network accepts, found by abstraction/);
  assert.equal(await page.locator("#viewport .state").count(), 2);
  await page.getByRole("button", {name: "Previous hypothesis"}).click();
  assert.match(await text(page, "#hypothesis-text"), /Hypothesis 1 of 3: 1 state,.*Refuted by 0,/);
  assert.ok(await page.getByRole("button", {name: "Previous hypothesis"}).isDisabled());
  await page.getByRole("button", {name: "Result"}).click();
  assert.equal(await page.locator("#hypothesis").inputValue(), "2");
});

on("small.html", "the counterexample's row shows the hypothesis that it refuted, and walks it", async (page) => {
  await page.getByRole("button", {name: "Show what counterexample 2 refuted"}).click();
  assert.match(await text(page, "#hypothesis-text"), /^Hypothesis 2 of 3/);
  assert.equal(await page.locator("#word").inputValue(), "11010");
  assert.match(await text(page, "#walk-text"), /The automaton accepts 11010; the network accepts it\./);
});

on("small.html", "the network's errors are bold and marked", async (page) => {
  const rows = page.locator("#counterexamples tbody tr");
  assert.match(await rows.nth(1).innerText(), /^! 2/);
  const weight = (i) => rows.nth(i).locator("td").nth(1).evaluate((cell) => Number(getComputedStyle(cell).fontWeight));
  assert.ok(await weight(1) >= 700);
  assert.ok(await weight(0) < 700);
});

// ---------------------------------------------------------------- the word box

on("small.html", "a word is walked as it is typed", async (page) => {
  await page.getByLabel("Try a word").pressSequentially("0011");
  assert.match(await text(page, "#walk-text"), /The automaton accepts 0011; /);
  assert.deepEqual(await page.locator("#chips li").allInnerTexts(), ["s0", "0 → s1", "0 → s0", "1 → s2", "1 → s0"]);
  assert.equal(await page.locator("#viewport .here").getAttribute("id"), "s0");
  await page.locator("#step").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator("#viewport .here").getAttribute("id"), "s2");
  assert.equal(await page.locator("#viewport .path").getAttribute("id"), "s0-s2");
});

on("small.html", "the network's recorded answer stands beside the automaton's", async (page) => {
  await page.getByLabel("Try a word").fill("00110101");  // the run's exception
  assert.match(await text(page, "#walk-text"), /The automaton accepts 00110101; the network rejects it\./);
  assert.equal(await page.locator("#walk-text .bad").count(), 1);
  await page.getByLabel("Try a word").fill("0000000000000000000000001");
  assert.match(await text(page, "#walk-text"), /not recorded in this run/);
});

on("small.html", "a symbol that is not in the alphabet is named", async (page) => {
  await page.getByLabel("Try a word").fill("012");
  assert.match(await text(page, "#word-hint"), /Symbol 3, "2", is not in the alphabet/);
  assert.equal(await page.getByLabel("Try a word").getAttribute("aria-invalid"), "true");
  assert.ok(await page.locator("#walk").isHidden());
});

// ---------------------------------------------------------------- pan and zoom

on("small.html", "the drawing zooms and moves by wheel, mouse, keys and buttons", async (page) => {
  const whole = await box(page);
  const area = (value) => value.split(" ").map(Number)[2];
  const at = await page.locator("#viewport").boundingBox();
  await page.mouse.move(at.x + 200, at.y + 100);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((before) => document.querySelector("#viewport svg").getAttribute("viewBox") !== before, whole);
  assert.ok(area(await box(page)) < area(whole));
  const zoomed = await box(page);
  await page.mouse.down();
  await page.mouse.move(at.x + 300, at.y + 150, {steps: 4});
  await page.mouse.up();
  assert.notEqual(await box(page), zoomed);
  assert.equal(area(await box(page)), area(zoomed));
  await page.getByRole("button", {name: "Show all"}).click();
  assert.equal(await box(page), whole);
  await page.getByRole("button", {name: "Zoom in"}).click();
  assert.ok(area(await box(page)) < area(whole));
  await page.locator("#viewport").focus();
  await page.keyboard.press("-");
  await page.keyboard.press("-");
  assert.ok(area(await box(page)) > area(whole));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("0");
  assert.equal(await box(page), whole);
});

// ---------------------------------------------------------------- themes and access

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = "rgb(255, 255, 255)";

on("small.html", "the theme button goes from the system's to light to dark", async (page) => {
  assert.equal(await background(page), light);
  await page.getByRole("button", {name: "Theme"}).click();
  assert.equal(await background(page), light);
  await page.getByRole("button", {name: "Theme"}).click();
  assert.notEqual(await background(page), light);
});

on("small.html", "a dark system gets a dark page, and can have a light one", async (page) => {
  assert.notEqual(await background(page), light);
  await page.getByRole("button", {name: "Theme"}).click();
  assert.equal(await background(page), light);
}, {colorScheme: "dark"});

for (const colorScheme of ["light", "dark"]) {
  on("small.html", `text can be told from its background (${colorScheme})`, async (page) => {
    const weak = await page.evaluate(() => {
      const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
      const luminance = ([r, g, b]) => {
        const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
      };
      const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const colour = numbers(getComputedStyle(at).backgroundColor);
          if (colour.length === 3 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
      };
      const found = [];
      for (const element of document.querySelectorAll("h1, h2, p, td, th, dt, dd, summary, button, label, .viewport text")) {
        if (!element.textContent.trim() || element.disabled || !element.getClientRects().length) continue;
        const style = getComputedStyle(element);
        const ink = numbers(element.closest("svg") ? style.fill : style.color);
        const [a, b] = [luminance(ink), luminance(behind(element))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) found.push(`${element.tagName} ${element.textContent.slice(0, 30)} ${ink}`);
      }
      return found;
    });
    assert.deepEqual(weak, []);
  }, {colorScheme});
}

on("small.html", "every control and picture has a name, every section a heading", async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("input, select, button, canvas, svg[role=img], section, [role=group]")]
    .filter((element) => !element.getAttribute("aria-label") && !element.labels?.length && !element.textContent.trim()
      && !element.getAttribute("aria-labelledby"))
    .map((element) => element.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  assert.equal(await page.locator("h1").count(), 1);
  assert.ok(await page.locator("html").getAttribute("lang"));
});

on("small.html", "all of it is reached by keyboard", async (page) => {
  const reached = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ["theme", "previous", "hypothesis", "viewport", "zoom-in", "word", "points", "copy"]) assert.ok(reached.has(id), id);
});

on("small.html", "nothing is wider than a phone's screen", async (page) => {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 380);
}, {viewport: {width: 380, height: 700}});

// ---------------------------------------------------------------- plots

on("small.html", "R-states are drawn, coloured in three ways and read out", async (page) => {
  const pixels = () => page.locator("#points").evaluate((canvas) => canvas.toDataURL());
  const byLState = await pixels();
  await page.getByLabel("Colour by").selectOption("accepted");
  const byAnswer = await pixels();
  assert.notEqual(byLState, byAnswer);
  await page.getByLabel("Colour by").selectOption("a");
  assert.notEqual(await pixels(), byAnswer);
  await page.locator("#points").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#point-detail"), /^word .*: L-state s\d, A-state \d+, network (accept|reject)s$/);
  assert.equal(await page.locator("#announcement").textContent(), await page.locator("#point-detail").textContent());
});

on("small.html", "plots come with their numbers", async (page) => {
  await page.locator("#growth summary").click();
  assert.equal(await page.locator("#growth tbody tr").count(), 3);
  assert.match(await page.locator("#agreement tbody").textContent(), /100\.999/);  // length 10, share 0.999
  await page.locator("#growth .mark").first().click();
  assert.match(await text(page, "#hypothesis-text"), /^Hypothesis 1 of 3/);
});

on("small.html", "the transitions are there as a table", async (page) => {
  await page.locator("#transitions summary").click();
  await page.waitForFunction(() => document.querySelector("#transition-table").innerText !== "");
  assert.match(await text(page, "#transition-table"), /s0, initial, accepting\s+s1\s+s2/);
});

// ---------------------------------------------------------------- hostile text

on("hostile.html", "symbols that try to be markup are text", async (page) => {
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.equal(await page.locator("img, iframe, object, embed, link").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
  assert.match(await text(page, "h1"), /<img src=x onerror=window\.hurt=1>\\u202e\.onnx/);
  assert.match(await text(page, "#evidence"), /<b onmouseover=hurt=1>bold<\/b><!--<script>/);
  assert.match(await text(page, "#word-hint"), /<\/script><script>window\.hurt=1<\/script>/);
  for (const i of [0, 1, 2]) {
    await setRange(page, "#hypothesis", i);
    assert.ok(await page.locator("#viewport .state").count() > 0);
  }
  await page.locator("#options-title ~ details summary").click();
  assert.match(await text(page, "#options"), /learner\s+<\/script>/);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});

on("hostile.html", "marks that reorder text are visible, not active", async (page) => {
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /[\u202a-\u202e\u2028]/);
  assert.match(await text(page, "#word-hint"), /\\u202e/);
});

on("hostile.html", "such words can still be typed and walked", async (page) => {
  await page.getByLabel("Try a word").fill("</script><script>window.hurt=1</script> </script><script>window.hurt=1</script>");
  assert.match(await text(page, "#walk-text"), /^The automaton accepts/);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});

test("hostile.html: a script that got in all the same would not run", async () => {
  const page = await open(browser, "hostile.html");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hurt = 1";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", "<img src='x.png' onerror='window.hurt = 2'>");
  });
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.ok(page.faults.some((fault) => fault.includes("Content Security Policy")));
  await page.close();
});

// ---------------------------------------------------------------- size and time

test("large.html: 500 states stay below 5 MB and open in under 2 s", async () => {
  assert.ok(fs.statSync(path.join(pages, "large.html")).size < 5e6);
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const begin = performance.now();
    const page = await open(browser, "large.html");
    await page.locator("#viewport .state").first().waitFor();
    times.push(performance.now() - begin);
    assert.ok(await page.locator("#viewport .state").count() > 450);
    assert.deepEqual(page.faults, []);
    await page.close();
  }
  console.log(`500 states open in ${times.map(Math.round).join(", ")} ms`);
  assert.ok(Math.min(...times) < 2000);
});

on("large.html", "every hypothesis is there, drawn by Graphviz or by the page", async (page) => {
  const last = Number(await page.locator("#hypothesis").getAttribute("max"));
  for (let i = 0; i <= last; ++i) {
    await setRange(page, "#hypothesis", i);
    assert.ok(await page.locator("#viewport .state").count() > 0);
  }
});
