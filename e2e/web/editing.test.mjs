// Edits by hand change the API's response and its ETag, and a shared portfolio is public until it is unshared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDemo } from './lib/with_demo.mjs';
import { api, form, post } from './lib/visitor.mjs';

const world = withDemo();

async function visit(options, use) {
  const visitor = await world.browser.context({ ...options, storageState: world.signedIn });
  try {
    const page = await visitor.page();
    await use(page, visitor);
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
}

const holding = async symbol =>
  (await api(world.service.url, '/api/v1/holdings', world.service.token)).body.holdings.filter(one => one.symbol === symbol).map(one => one.shares);
const tag = async () => (await api(world.service.url, '/api/v1/holdings', world.service.token)).etag;

for (const javaScriptEnabled of [true, false]) {
  test(`adding, editing and deleting a transaction changes the response and its ETag, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () =>
    visit({ javaScriptEnabled }, async page => {
      const empty = await tag();
      await page.goto(`${world.service.url}/ledger/new?kind=buy&symbol=MSFT`);
      await page.fill('#shares', '10');
      await page.fill('#price', '400.50');
      await page.fill('#date', '2026-10-01');
      await post(page, '/ledger/new');
      assert.deepEqual(await holding('MSFT'), ['10']);
      const added = await tag();
      assert.notEqual(added, empty);

      await page.goto(`${world.service.url}/ledger?symbol=MSFT`);
      const address = (await page.locator('main tbody a[data-edit]').first().getAttribute('href')).split('?')[0];
      await page.goto(world.service.url + address);
      await page.fill('#shares', '12.5');
      await post(page, address);
      assert.deepEqual(await holding('MSFT'), ['12.5']);
      const edited = await tag();
      assert.notEqual(edited, added);

      await page.goto(world.service.url + address);
      await remove(page, address);
      assert.deepEqual(await holding('MSFT'), []);
      assert.equal(await tag(), empty, 'without the transaction, the response is the same as before');
    }));
}

// Uses the button or, without JavaScript, the confirmation page.
async function remove(page, address) {
  const link = page.locator(`main a[href="${address}/delete"]:visible`);
  if (await link.count()) await link.click();
  await post(page, `${address}/delete`);
}

test('a shared portfolio is public without amounts, and gone once it is unshared', () =>
  visit({}, async (page, visitor) => {
    await page.goto(`${world.service.url}/portfolios`);
    const share = await form(page, '/portfolios/share');
    const name = await share.locator('[name=name], [name=portfolio]').first().inputValue();
    await post(page, '/portfolios/share');
    const { portfolios } = (await api(world.service.url, '/api/v1/portfolios', world.service.token)).body;
    const { slug } = portfolios.find(one => one.name === name);
    assert.ok(slug, `${name} has a slug`);

    const anonymous = await world.browser.context();
    const publicPage = await anonymous.page();
    assert.equal((await publicPage.goto(`${world.service.url}/p/${slug}`)).status(), 200);
    const seen = await publicPage.content();
    assert.ok(seen.includes(name));
    assert.ok(!seen.includes(world.service.email));
    const income = (await api(world.service.url, `/api/v1/income?portfolio=${encodeURIComponent(name)}`, world.service.token)).body;
    assert.ok(!seen.includes(income.annual_income.amount) && !seen.includes(`value="${income.holdings[0].income.amount}"`), 'amounts stay hidden');

    await page.goto(`${world.service.url}/portfolios`);
    await post(page, '/portfolios/unshare');
    anonymous.watch.announce(404, `/p/${slug}`);
    assert.equal((await publicPage.goto(`${world.service.url}/p/${slug}`)).status(), 404);
    await anonymous.watch.assertClean();
    await anonymous.close();
    void visitor;
  }));

test('the projection updates in place and shows the API’s figures', () =>
  visit({}, async page => {
    await page.goto(world.service.url);
    await page.fill('#years', '3');
    await page.check('input[name=drip]');
    const expected = (await api(world.service.url, '/api/v1/income?years=3&drip=true', world.service.token)).body.projection.map(one => one.income.amount);
    assert.equal(expected.length, 4);
    // The page first shows three years without reinvestment, so wait for the final figures.
    const figures = '#projection [data-figure$=".income"] data';
    await page.waitForFunction(([figures, last]) => [...document.querySelectorAll(figures)].at(-1)?.value === last, [figures, expected.at(-1)]);
    const shown = await page.locator(figures).evaluateAll(marks => marks.map(mark => mark.value));
    assert.deepEqual(shown, expected);
  }));

test('choosing another transaction type shows its fields at once and keeps what was typed', () =>
  visit({}, async page => {
    await page.goto(`${world.service.url}/ledger/new?kind=buy&symbol=MSFT`);
    await page.fill('#shares', '7');
    assert.equal(await page.locator('button[formaction="/ledger/kind"]').isVisible(), false);
    await page.locator('input[name=kind][value=buy]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('#net', { state: 'attached' });
    assert.equal(await page.inputValue('#shares'), '7');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('#ratio');
    assert.equal(await page.locator('#fees').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.value), 'split', 'the focus stays where it was');
  }));

test('the search shortcut does nothing when it is turned off', () =>
  visit({}, async page => {
    await page.goto(`${world.service.url}/settings`);
    await page.uncheck('input[name=shortcuts]');
    await post(page, '/settings/shortcuts');
    await page.keyboard.press('/');
    assert.notEqual(await page.evaluate(() => document.activeElement.id), 'site-search');
    await page.keyboard.press('Control+k');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'site-search');
  }));

test('search suggestions work with the keyboard alone', () =>
  visit({}, async page => {
    await page.goto(world.service.url);
    await page.keyboard.press('/');
    await page.keyboard.type('coca');
    await page.waitForSelector('[role=option]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/stocks\/KO$/);
  }));
