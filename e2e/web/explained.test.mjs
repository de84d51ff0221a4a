// Every figure of every page of the demo has a link to how it is calculated, but for what is only stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDemo } from './lib/with_demo.mjs';

const PAGES = [
  '/',
  '/?years=25&drip=true',
  '/?portfolio=Core',
  '/upcoming?days=120',
  '/dividends',
  '/dividends/missing',
  '/holdings',
  '/radar',
  '/stocks/KO',
  '/whatif?symbol=KO&shares=10',
  '/whatif?symbol=KO&amount=1000&portfolio=Core',
  '/ledger/new?kind=buy&symbol=KO&shares=10&price=60&fees=1',
  '/ledger/new?kind=sell&symbol=KO&shares=1&price=60',
  '/ledger/new?kind=dividend&symbol=KO&price=0.51',
  '/import/done',
];

// What has no link, and why. Everything else that is a number with a unit, or marked as a figure, needs one.
const WITHOUT = [
  ['svg', 'the table below a chart has its figures'],
  ['.factors', 'shares and amount per share are inputs of the payment beside them'],
  ['.timeline time', 'the days of a payment'],
  ['#list td', 'recorded dividends'],
  ['#safety', 'payout ratio and cash cover are market data; the rating has a link'],
  ['#payments td', 'market data; payments before a split have a link'],
  ['p.muted:has(+ form[data-target="projection"])', 'the limits in the rule of the projection'],
  ['td.full p', 'targets as they were typed; the distance to them has a link'],
  ['dl:has(+ p > a[href^="/import/files/"]) data:not([data-currency])', 'how many rows of the file were added'],
  ['p.hint', 'what a blank field stands for; the preview explains it'],
];

const world = withDemo();

// Text of the page that is a figure and not inside a link to its explanation.
const unexplained = without => {
  const skipped = without.join(', ') + ', a.how, script, style, input, select, option';
  const found = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent.trim();
    const near = node.parentElement;
    const isFigure = near.closest('data') || /[€$£]\s?[\d.,]*\d|\d\s?%/.test(text);
    if (text && isFigure && !near.closest(skipped)) found.push(`${text} in ${near.closest('[class], [id]')?.outerHTML.slice(0, 120)}`);
  }
  return found;
};

// A payment whose dividend is deleted first.
const ignoreOne = async page => {
  await page.goto(`${world.service.url}/ledger?kind=dividend&symbol=KO`);
  const sequence = await page.locator('main a[data-edit]').first().getAttribute('data-edit');
  await page.goto(`${world.service.url}/ledger/${sequence}/delete`);
  await page.locator('main button.danger').click();
  await page.goto(`${world.service.url}/dividends/missing`);
  await page.locator('input[name="pick.1"]').check();
  await page.locator('button[formaction="/dividends/missing/ignore"]').click();
  await page.locator('#ignored').waitFor({ state: 'attached' });
};

const anImport = async page => {
  await page.goto(`${world.service.url}/import`);
  return page.locator('a[href^="/import/done/"]').first().getAttribute('href');
};

test('every figure of the demo can be asked how it is calculated', async () => {
  const visitor = await world.browser.context({ storageState: world.signedIn, width: 1440 });
  try {
    const page = await visitor.page();
    const found = [];
    await ignoreOne(page);
    for (const path of PAGES) {
      await page.goto(world.service.url + (path === '/import/done' ? await anImport(page) : path));
      assert.ok((await page.locator('main a.how').count()) > 0, path);
      found.push(...(await page.evaluate(unexplained, WITHOUT.map(([selector]) => selector))).map(one => `${path}: ${one}`));
    }
    assert.deepEqual(found, []);
  } finally {
    await visitor.close();
  }
});

test('what a chart shows is in the table below it, by keyboard and without JavaScript', async () => {
  const visitor = await world.browser.context({ storageState: world.signedIn, width: 390, javaScriptEnabled: false });
  try {
    const page = await visitor.page();
    for (const path of ['/', '/dividends', '/holdings', '/stocks/KO']) {
      await page.goto(world.service.url + path);
      for (const chart of await page.locator('figure.chart').all()) {
        const summary = chart.locator('.table-of-chart summary');
        await summary.focus();
        await page.keyboard.press('Enter');
        const figure = chart.locator('.table-of-chart a.how').first();
        await page.keyboard.press('Tab');
        while (!(await figure.evaluate(link => link === document.activeElement))) {
          assert.ok(await chart.evaluate(chart => chart.contains(document.activeElement)), `${path}: no figure by keyboard`);
          await page.keyboard.press('Tab');
        }
        const shown = await figure.innerText();
        const address = await figure.getAttribute('href');
        await page.keyboard.press('Enter');
        await page.waitForURL(url => url.pathname === '/explain');
        assert.equal(await page.locator('.value').innerText(), shown, address);
        await page.goBack();
      }
    }
  } finally {
    await visitor.close();
  }
});
