// From an empty service to income on the screen and a token that works, with and without JavaScript.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch } from './lib/browser.mjs';
import { serve } from './lib/service.mjs';
import { api, confirmed, form, post } from './lib/visitor.mjs';

const EMAIL = 'ana@example.com';
const PASSWORD = 'quiet rivers carve the patient stone';
const LEDGER = `date,type,symbol,shares,price,amount,tax,currency
2025-01-10,buy,KO,100,60,,,USD
2025-04-01,dividend,KO,,,51.00,7.65,USD
2025-07-01,dividend,KO,,,51.00,7.65,USD
2025-02-03,buy,PEP,20,150,,,USD
`;

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';
  test(`a first start leads to an account, an import, income, and a token that works until it is revoked, ${how}`, async () => {
    const service = await serve({ now: null });
    const visitor = await browser.context({ javaScriptEnabled, permissions: ['clipboard-read', 'clipboard-write'] });
    try {
      const page = await visitor.page();
      await createAccount(page, service.url);
      await importLedger(page, service.url);
      await checkIncome(page, service.url);
      const token = await createToken(page, service.url, javaScriptEnabled);
      await checkToken(service.url, token, 200);
      await revokeToken(page, service.url);
      await checkToken(service.url, token, 401);
      await signOut(page, service.url);
      await visitor.watch.assertClean();
    } finally {
      await visitor.close();
      await service.stop();
    }
  });
}

async function createAccount(page, url) {
  await page.goto(url);
  assert.equal(new URL(page.url()).pathname, '/welcome', 'a service without users asks for the first account');
  await page.fill('#email', EMAIL);
  await page.fill('#password', PASSWORD);
  await page.selectOption('#currency', 'USD');
  await page.selectOption('#residence', 'ES');
  await page.check('input[name=source][value=none]');
  await post(page, '/welcome');
  assert.equal(new URL(page.url()).pathname, '/');
  assert.match(await page.textContent('main'), /No holdings yet/);
}

async function importLedger(page, url) {
  await page.goto(`${url}/import`);
  await page.setInputFiles('main input[type=file]', { name: 'ledger.csv', mimeType: 'text/csv', buffer: Buffer.from(LEDGER) });
  if (new URL(page.url()).pathname === '/import') await post(page, '/import');
  await page.waitForURL(/\/import\/[0-9a-f-]{36}$/);
  const plan = await page.textContent('main');
  assert.match(plan, /4/, 'the review page says how many rows there are');
  const id = new URL(page.url()).pathname;
  await post(page, `${id}/apply`);
  await page.waitForURL(/\/import\/done\/[0-9a-f-]{36}$/);
  assert.match(await page.textContent('[role=status]'), /4/);
}

async function checkIncome(page, url) {
  await page.goto(`${url}/holdings`);
  const rows = await page.locator('main tbody tr').allTextContents();
  assert.ok(rows.some(row => /KO/.test(row)) && rows.some(row => /PEP/.test(row)), rows.join('\n'));
  await page.goto(`${url}/dividends`);
  // 51.00 - 7.65 twice.
  assert.ok((await page.locator('main data[value="86.70"]').count()) > 0, 'the net amount of both dividends is on the page');
  await page.goto(url);
  assert.doesNotMatch(await page.textContent('main'), /No holdings yet/);
}

async function createToken(page, url, javaScriptEnabled) {
  await page.goto(`${url}/settings/access`);
  await page.fill('main form[action="/settings/access/tokens"] input[name=name]', 'desk widget');
  await post(page, '/settings/access/tokens');
  await confirmed(page, PASSWORD);
  const shown = (await page.locator('main .copy code').first().textContent()).trim();
  assert.match(shown, /^drip_pat_[0-9A-Za-z]{36}$/);
  if (javaScriptEnabled) {
    await page.locator('main .copy [data-copy]').first().click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  }
  await page.goto(`${url}/settings/access`);
  assert.ok(!(await page.content()).includes(shown), 'a token is shown once');
  return shown;
}

async function checkToken(url, token, status) {
  const args = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Authorization: Bearer ${token}`, `${url}/api/v1/me`];
  const { stdout } = await promisify(execFile)('curl', args);
  assert.equal(stdout, String(status));
  if (status === 200) assert.equal((await api(url, '/api/v1/me', token)).body.email, EMAIL);
}

async function revokeToken(page, url) {
  await page.goto(`${url}/settings/access`);
  await post(page, '/settings/access/revoke');
  assert.match(await page.textContent('[role=status]'), /desk widget|revoked/i);
}

async function signOut(page, url) {
  if (await page.locator('details.menu:not([open]) > summary').count()) await page.click('details.menu > summary');
  await (await form(page, '/sign-out', 'header')).locator('button').click();
  await page.waitForURL(`${url}/sign-in`);
  await page.goto(`${url}/holdings`);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
}
