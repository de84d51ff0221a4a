// Pages that appear only in between: an import review, a secret shown once, a second factor, a shared portfolio, a first start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, noOverflow, noOverflowInPrint } from './lib/checks.mjs';
import { serve } from './lib/service.mjs';
import { withDemo } from './lib/with_demo.mjs';
import { api, post, press } from './lib/visitor.mjs';

const TABLE = `When,What,Ticker,How many,Each,Money
2026-03-02,Buy,KO,5,61.00,USD
2026-03-03,Buy,NOSUCHTHING,5,61.00,USD
2026-13-03,Buy,KO,5,61.00,USD
`;

const world = withDemo();

async function checkPage(options, reach) {
  const visitor = await world.browser.context(options);
  try {
    const page = await visitor.page();
    await reach(page, visitor);
    await noOverflow(page);
    await axe(page);
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
}

const upload = async (page, name, text) => {
  await page.goto(`${world.service.url}/import`);
  await page.setInputFiles('main input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  if (new URL(page.url()).pathname === '/import') await post(page, '/import');
  await page.waitForURL(/\/import\/[0-9a-f-]{36}$/);
};

test('the review of a broker’s file passes all checks', () =>
  checkPage({ storageState: world.signedIn }, page =>
    upload(page, 'ledger.csv', 'date,type,symbol,shares,price,currency\n2026-03-02,buy,KO,5,61.00,USD\n2026-03-03,buy,PEP,1,150.10,USD\n')));

test('the review of a table with questions and errors passes all checks', () => checkPage({ storageState: world.signedIn }, page => upload(page, 'table.csv', TABLE)));

// Lines 5 and 6 have an unknown type; of NOSUCHTHING, 2.5 shares more are sold than bought.
const FAULTY = `date,type,symbol,shares,price,currency
2026-03-02,buy,KO,5,61.00,USD
2026-03-03,buy,NOSUCHTHING,5,61.00,USD
2026-03-04,sell,NOSUCHTHING,7.5,61.00,USD
2026-03-05,conversion,KO,5,61.00,USD
2026-03-06,conversion,KO,5,61.00,USD
`;

async function fixRows(page, check) {
  const text = selector => page.locator(selector).first().textContent();
  await upload(page, 'ledger.csv', FAULTY);
  await check();
  await press(page, 'button[name=skip]');
  assert.match(await text('tr:has(button[name=include])'), /Error: .*Include again/s);
  await press(page, 'button[name=include]');
  await press(page, 'button[name=skip_all]');
  await check();
  assert.equal(await page.locator('button[name=include]').count(), 2);
  assert.match(await text('tr.error'), /Sold 2\.5 shares that aren’t in your history/);
  await page.locator('.fixes summary').click();
  await check();
  assert.equal(await page.inputValue('input[name=shares]'), '2.5');
  assert.equal(await page.inputValue('.fixes input[name=date]'), '2026-03-02');
  await page.fill('input[name=cost]', '120');
  await press(page, '.fixes form button');
  await check();
  assert.match(await text('.notice.ok'), /3 of 5 rows will be added: .*\. 1 security gets an opening position\. 2 rows are left out\./);
  await press(page, 'button[name=close]');
  assert.equal(await page.locator('.notice.warn').count(), 1);
}

test('rows with errors are fixed on the review page, which passes all checks', () =>
  checkPage({ storageState: world.signedIn }, page =>
    fixRows(page, async () => {
      await noOverflow(page);
      await axe(page);
    })));

test('rows with errors are fixed without scripts', async () => {
  const visitor = await world.browser.context({ storageState: world.signedIn, javaScriptEnabled: false, width: 390 });
  try {
    await fixRows(await visitor.page(), async () => {});
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
});

test('the page of a new token passes all checks', () =>
  checkPage({ storageState: world.signedIn }, async page => {
    await page.goto(`${world.service.url}/settings/access`);
    await page.fill('main form[action="/settings/access/tokens"] input[name=name]', 'states');
    assert.equal(await post(page, '/settings/access/tokens'), 200);
  }));

test('the page of a new feed passes all checks, and the feed can be read without signing in', () =>
  checkPage({ storageState: world.signedIn }, async page => {
    await page.goto(`${world.service.url}/settings/access`);
    await page.fill('main form[action="/settings/access/feeds"] input[name=name]', 'phone');
    assert.equal(await post(page, '/settings/access/feeds'), 200);
    const address = (await page.locator('main .copy code').first().textContent()).trim();
    const feed = await fetch(address);
    assert.match(feed.headers.get('content-type'), /^text\/calendar/);
    const own = (await api(world.service.url, '/api/v1/upcoming?days=120', world.service.token)).body.items.filter(item => item.held && item.pay_date);
    const paid = (await feed.text()).split('BEGIN:VEVENT').slice(1).filter(event => /UID:[^\r\n]*pay/i.test(event));
    const due = own.filter(item => item.pay_date >= '2026-11-15');
    assert.ok(due.length > 10);
    assert.equal(paid.length, due.length);
  }));

test('the second factor is set up, with its codes shown once', () =>
  checkPage({ storageState: world.signedIn }, async page => {
    await page.goto(`${world.service.url}/settings/security`);
    await post(page, '/settings/security/factor');
    assert.ok(await page.locator('main .qr svg').count());
  }));

test('a shared portfolio passes all checks, without amounts and with them', () =>
  checkPage({ storageState: world.signedIn }, async (page, visitor) => {
    await page.goto(`${world.service.url}/portfolios`);
    await post(page, '/portfolios/share');
    const slug = (await api(world.service.url, '/api/v1/portfolios', world.service.token)).body.portfolios.find(one => one.slug).slug;
    await page.goto(`${world.service.url}/p/${slug}`);
    await noOverflow(page);
    await axe(page);
    await page.goto(`${world.service.url}/portfolios`);
    await post(page, '/portfolios/amounts');
    await page.goto(`${world.service.url}/p/${slug}`);
    assert.ok(await page.locator('main data[data-currency]').count());
    void visitor;
  }));

for (const path of ['/holdings', '/', '/upcoming', '/dividends', '/ledger', '/radar']) {
  test(`${path} fits on a printed page`, () =>
    checkPage({ storageState: world.signedIn }, async page => {
      await page.goto(world.service.url + path);
      await noOverflowInPrint(page);
    }));
}

test('on a phone, holdings are stacked and can be sorted', () =>
  checkPage({ storageState: world.signedIn, width: 360 }, async page => {
    await page.goto(`${world.service.url}/holdings`);
    const table = page.locator('table.stacked').last();
    assert.ok(await table.evaluate(element => element.scrollWidth <= element.closest('.scroll').clientWidth), 'nothing scrolls horizontally');
    await table.locator('thead a', { hasText: 'Net' }).click();
    await page.waitForURL(/sort=-net/);
    assert.equal(await table.locator('tbody tr').first().locator('td').first().evaluate(element => getComputedStyle(element).display), 'block');
  }));

test('on a phone, the search box is on every kind of page', () =>
  checkPage({ storageState: world.signedIn, width: 360 }, async page => {
    for (const path of ['/', '/upcoming', '/holdings', '/calendar', '/stocks/KO', '/search?q=co', '/ledger/new', '/settings', '/developers']) {
      await page.goto(world.service.url + path);
      const box = await page.locator('header.top input[type=search]').boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.y < 300 && box.width >= 120 && box.height >= 44, `${path}: ${JSON.stringify(box)}`);
    }
    await page.locator('header.top input[type=search]').click();
    await page.keyboard.type('coca');
    await page.waitForSelector('[role=option]');
    const list = await page.locator('.suggestions').boundingBox();
    assert.ok(list.x >= 0 && list.x + list.width <= 360, `the suggestions are ${JSON.stringify(list)}`);
    await page.locator('[role=option] a').first().click();
    await page.waitForURL(/\/stocks\/KO$/);
  }));

for (const javaScriptEnabled of [true, false]) {
  test(`a likely duplicate needs confirmation before it is saved, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    const visitor = await world.browser.context({ storageState: world.signedIn, javaScriptEnabled });
    try {
      const page = await visitor.page();
      const fill = async () => {
        await page.goto(`${world.service.url}/ledger/new?kind=buy&symbol=PEP`);
        await page.fill('#shares', javaScriptEnabled ? '1' : '2');
        await page.fill('#price', '150');
        await page.fill('#date', '2026-09-01');
      };
      await fill();
      assert.equal(await post(page, '/ledger/new'), 303);
      await fill();
      visitor.watch.announce(422, '/ledger/new');
      assert.equal(await post(page, '/ledger/new'), 422);
      assert.match(await page.textContent('main [role=alert]'), /same date, type and size/);
      if (javaScriptEnabled) {
        await noOverflow(page);
        await axe(page);
      }
      assert.equal(await page.locator('main form .button.primary').textContent(), 'Save anyway');
      assert.equal(await post(page, '/ledger/new'), 303);
      await visitor.watch.assertClean();
    } finally {
      await visitor.close();
    }
  });
}

test('a rejected form says what is wrong and keeps what was typed', () =>
  checkPage({ storageState: world.signedIn }, async (page, visitor) => {
    await page.goto(`${world.service.url}/ledger/new?kind=sell&symbol=KO`);
    await page.fill('#shares', '100000');
    await page.fill('#price', '1');
    await page.fill('#date', '2026-10-01');
    visitor.watch.announce(422, '/ledger/new');
    assert.equal(await post(page, '/ledger/new'), 422);
    assert.equal(await page.inputValue('#shares'), '100000');
    assert.match(await page.textContent('main'), /You only held [\d.,]+ KO/);
  }));

test('the first page of a new service passes all checks', async () => {
  const empty = await serve();
  try {
    await checkPage({}, page => page.goto(empty.url));
  } finally {
    await empty.stop();
  }
});
