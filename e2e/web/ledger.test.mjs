// The ledger as a table to work with: filter, sort, select, move, delete, undo, download, and edit in place, at two widths.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { axe, noOverflow } from './lib/checks.mjs';
import { api, post, press } from './lib/visitor.mjs';
import { withDemo } from './lib/with_demo.mjs';

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

const symbols = page => page.locator('main tbody th .symbol').allTextContents();
const boxes = page => page.locator('main tbody .pick input');
const held = async symbol =>
  (await api(world.service.url, '/api/v1/holdings', world.service.token)).body.holdings.filter(one => one.symbol === symbol).map(one => one.shares);
const ledger = (page, query = '') => page.goto(`${world.service.url}/ledger${query}`);

// A portfolio to move to.
async function second(page) {
  await page.goto(`${world.service.url}/portfolios`);
  if ((await page.textContent('main')).includes('Second')) return;
  await page.fill('main form[action="/portfolios/add"] [name=name]', 'Second');
  await post(page, '/portfolios/add');
}

async function add(page, symbol, shares) {
  await page.goto(`${world.service.url}/ledger/new?kind=buy&symbol=${symbol}&shares=${shares}&price=10&date=2026-10-01`);
  await post(page, '/ledger/new');
}

for (const width of [390, 1440]) {
  test(`the ledger is filtered and sorted by its address, ${width} px wide`, () =>
    visit({ width }, async page => {
      await ledger(page);
      await noOverflow(page, [width]);
      await axe(page);
      await page.selectOption('#by-kind', 'buy');
      await press(page, 'main form.filters[method=get] button');
      await press(page, 'main thead a:has-text("Security")');
      assert.equal(new URL(page.url()).searchParams.get('sort'), 'symbol');
      assert.equal(await page.getAttribute('main thead th:has(a:has-text("Security"))', 'aria-sort'), 'ascending');
      const shown = await symbols(page);
      assert.ok(shown.length > 1);
      assert.deepEqual(shown, shown.toSorted());
      await page.fill('#by-text', 'NO SUCH SECURITY');
      await press(page, 'main form.filters[method=get] button');
      assert.equal(await page.locator('main tbody').count(), 0);
      assert.equal(new URL(page.url()).searchParams.get('sort'), 'symbol');
    }));

  test(`selected transactions are moved, deleted, restored and downloaded, ${width} px wide`, () =>
    visit({ width }, async page => {
      await second(page);
      await add(page, 'MSFT', 3);
      await add(page, 'MSFT', 4);
      await ledger(page, '?symbol=MSFT');
      await page.check('[data-pick]');
      assert.equal(await page.locator('main tbody .pick input:checked').count(), 2);
      await boxes(page).first().uncheck();
      assert.equal(await page.locator('[data-pick]').evaluate(pick => pick.indeterminate), true);
      await boxes(page).first().check();
      const downloaded = page.waitForEvent('download');
      await page.click('#selection button[formaction="/ledger/export"]');
      const lines = (await readFile(await (await downloaded).path(), 'utf8')).trim().split('\n');
      assert.equal(lines.length, 3);
      assert.ok(lines.slice(1).every(line => line.includes('MSFT')));

      await page.selectOption('#to', 'Second');
      await press(page, '#selection button:text-is("Move")');
      assert.match(await page.textContent('.notice'), /2 transactions moved to Second/);
      assert.match(await page.textContent('main tbody'), /Second/);
      assert.deepEqual(await held('MSFT'), ['7']);

      await page.selectOption('#scope', 'page');
      await press(page, '#selection button[formaction="/ledger/delete"]');
      assert.deepEqual(await held('MSFT'), []);
      assert.match(await page.textContent('.notice'), /2 transactions deleted/);
      await noOverflow(page, [width]);
      await axe(page);
      await press(page, 'form[action="/ledger/undo"] button');
      assert.match(await page.textContent('.notice'), /2 transactions restored/);
      assert.deepEqual(await held('MSFT'), ['7']);

      const all = page.waitForEvent('download');
      await page.click('main .page-head button[data-download]');
      assert.equal((await readFile(await (await all).path(), 'utf8')).trim().split('\n').length, 3);
      await page.check('[data-pick]');
      await press(page, '#selection button[formaction="/ledger/delete"]');
      assert.deepEqual(await held('MSFT'), []);
    }));

  test(`a transaction is edited in its row, ${width} px wide`, () =>
    visit({ width }, async (page, visitor) => {
      await add(page, 'MSFT', 5);
      await ledger(page, '?symbol=MSFT');
      const address = page.url();
      const edit = page.locator('main [data-edit]').first();
      visitor.watch.announce(422, `/ledger/${await edit.getAttribute('data-edit')}`);
      await edit.click();
      await page.waitForSelector('.editor #shares');
      await noOverflow(page, [width]);
      await axe(page);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'shares');
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.editor').count(), 0);
      assert.ok(await edit.evaluate(link => link === document.activeElement), 'the focus is back on the link');

      await page.keyboard.press('Enter');
      await page.waitForSelector('.editor #shares');
      await page.fill('.editor #shares', 'many');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.editor #shares-problem');
      await page.fill('.editor #shares', '6');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.editor', { state: 'detached' });
      assert.equal(page.url(), address);
      assert.match(await page.textContent('main tbody'), /6/);
      assert.ok(await page.evaluate(() => document.activeElement.matches('[data-edit]')));
      assert.deepEqual(await held('MSFT'), ['6']);
      await page.check('[data-pick]');
      await press(page, '#selection button[formaction="/ledger/delete"]');
    }));
}

test('everything works without JavaScript, and the form leads back to the list', () =>
  visit({ javaScriptEnabled: false }, async page => {
    await second(page);
    await add(page, 'MSFT', 5);
    await ledger(page, '?symbol=MSFT&sort=symbol');
    const address = page.url();
    assert.equal(await page.locator('[data-pick]').isVisible(), false);
    await page.locator('main [data-edit]').first().click();
    await page.waitForURL(/\/ledger\/\d+\?next=/);
    await page.fill('#shares', '8');
    await press(page, 'main form[action^="/ledger/"] .button.primary');
    assert.equal(page.url(), address);
    assert.deepEqual(await held('MSFT'), ['8']);
    await boxes(page).first().check();
    await page.selectOption('#to', 'Second');
    await press(page, '#selection button:text-is("Move")');
    assert.match(await page.textContent('main tbody'), /Second/);
    await page.selectOption('#scope', 'page');
    await press(page, '#selection button[formaction="/ledger/delete"]');
    assert.deepEqual(await held('MSFT'), []);
  }));
