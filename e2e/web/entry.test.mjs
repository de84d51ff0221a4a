// The first purchase in an empty account: few fields, at typing speed, with the keyboard alone and on a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { axe, noOverflow } from './lib/checks.mjs';
import { serve } from './lib/service.mjs';
import { post, signIn } from './lib/visitor.mjs';

const FIELDS_MAX = 5;
const SECONDS_MAX = 20;
const KEY_MS = 40;
const PASSWORD = 'quiet rivers carve the patient stone';

let browser, service;
before(async () => {
  const prepare = async dripline => {
    for (const name of ['typist', 'phone', 'plain', 'names']) await dripline(['user', 'add', `${name}@example.com`, '--password-stdin'], { input: PASSWORD });
  };
  [browser, service] = [await launch(), await serve({ prepare })];
});
after(async () => (await browser?.close(), await service?.stop()));

async function visit(name, options, use) {
  const visitor = await browser.context(options);
  try {
    const page = await visitor.page();
    await signIn(page, { url: service.url, email: `${name}@example.com`, password: PASSWORD });
    await page.goto(`${service.url}/ledger/new`);
    await use(page, visitor);
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
}

const held = async page => {
  await page.goto(`${service.url}/ledger`);
  return (await page.locator('main tbody').textContent()).replace(/\s+/g, ' ');
};

for (const [name, width] of [['typist', 1440], ['phone', 390]]) {
  test(`the first purchase is typed without waiting, ${width} px wide`, () =>
    visit(name, { width }, async page => {
      await noOverflow(page, [width]);
      await axe(page);
      const typed = ['KO', '10', '60,50'];
      assert.ok(typed.length <= FIELDS_MAX);
      const began = Date.now();
      // The focus is in the first field already.
      for (const [place, text] of typed.entries()) {
        if (place > 0) await page.keyboard.press('Tab');
        await page.keyboard.type(text, { delay: KEY_MS });
      }
      await Promise.all([page.waitForURL(`${service.url}/ledger`), page.keyboard.press('Enter')]);
      assert.ok(Date.now() - began < SECONDS_MAX * 1000, `${Date.now() - began} ms`);
      assert.match(await held(page), /Buy.*KO.*10.*\$60\.50/);
    }));
}

test('a security is chosen by name with the keyboard, and another transaction follows', () =>
  visit('names', {}, async page => {
    await page.keyboard.type('coca-cola', { delay: KEY_MS });
    await page.waitForSelector('[role=option]:has-text("KO")');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await page.inputValue('#symbol'), 'KO');
    await page.waitForSelector('#symbol-suggested:has-text("Ticker, name or ISIN"), #symbol-suggested:has-text("Coca")');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('61.5');
    await page.waitForSelector('#preview data[value="123.00"]');
    await Promise.all([page.waitForURL(/\/ledger\/new\?kind=buy&date=/), page.click('button[name=another]')]);
    await page.keyboard.type('US1912161007', { delay: KEY_MS });
    await page.waitForSelector('[role=option]:has-text("KO")');
    await page.click('[role=option]:has-text("KO") a');
    assert.equal(await page.inputValue('#symbol'), 'KO');
    assert.equal(new URL(page.url()).pathname, '/ledger/new');
    await page.keyboard.press('Escape');
  }));

test('a name is never taken as a ticker, JavaScript off', () =>
  visit('plain', { javaScriptEnabled: false }, async (page, visitor) => {
    await page.fill('#symbol', 'Coca-Cola');
    await page.fill('#shares', '3');
    await page.fill('#price', '60');
    visitor.watch.announce(422, '/ledger/new');
    assert.equal(await post(page, '/ledger/new'), 422);
    assert.match(await page.textContent('.question'), /Which security is “Coca-Cola”\?.*Add COCA-COLA anyway/s);
    await page.click('.question button[name=match][value=KO]');
    await page.waitForURL(`${service.url}/ledger`);
    assert.match(await held(page), /Buy.*KO/);
    await page.goto(`${service.url}/ledger/new`);
    await page.check('input[name=kind][value=split]');
    await page.click('button[formaction="/ledger/kind"]');
    assert.equal(await page.locator('#ratio').count(), 1);
    assert.equal(await page.locator('#price').count(), 0);
  }));
