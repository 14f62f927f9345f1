// take_picture.cjs PAGE PNG: the first screen of a report, with a word being walked.
const {chromium} = require("playwright-core");
const {pathToFileURL} = require("node:url");

(async () => {
  const [page, picture] = process.argv.slice(2);
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
  });
  const tab = await browser.newPage({viewport: {width: 1400, height: 1000}});
  await tab.goto(pathToFileURL(page).href);
  await tab.getByLabel("Try a word").fill("0000000111011111110001");
  await tab.evaluate(() => document.activeElement.blur());
  await tab.screenshot({path: picture});
  await browser.close();
})();
