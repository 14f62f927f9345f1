// A browser and a page that remembers everything it should not have done.
import assert from "node:assert/strict";
import {test} from "node:test";
import {chromium} from "playwright-core";
import {pathToFileURL} from "node:url";
import path from "node:path";

export const pages = process.env.RNNALF_PAGES;

export const launch = () => chromium.launch({
  executablePath: process.env.RNNALF_CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

/** Opens a file; `page.faults` lists errors, console messages, dialogs and requests as they come. */
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({viewport: {width: 1280, height: 900}, ...options});
  const address = pathToFileURL(path.resolve(pages, file)).href;
  page.faults = [];
  page.on("console", (message) => page.faults.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { page.faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== address) page.faults.push(`request: ${request.url()}`); });
  await page.goto(address);
  return page;
}

export const text = (page, selector) => page.locator(selector).innerText();

/** on(browser)(file, name, body, options): a test on a page of its own, which must not have done anything wrong. */
export const on = (browser) => (file, name, body, options) => test(`${file}: ${name}`, async () => {
  const page = await open(browser(), file, options);
  try {
    await body(page);
    assert.deepEqual(page.faults, []);
  } finally {
    await page.close();
  }
});
