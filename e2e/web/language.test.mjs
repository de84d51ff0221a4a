// Every page in another language: no English is left, and longer texts have space.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { noOverflow } from './lib/checks.mjs';
import { execute, locked } from './lib/database.mjs';
import { mailbox } from './lib/mailbox.mjs';
import { LOCALE, english, messages, noEnglish, nothingCutOff } from './lib/pseudo.mjs';
import { NOW, demo, serve } from './lib/service.mjs';
import { api, post, press, signIn } from './lib/visitor.mjs';

const EMAIL = 'ana@example.com';
const PASSWORD = 'quiet rivers carve the patient stone';
// What is the same in every language: proper names, codes, and what this test types.
const NAMES = ['Dripline', 'Chrome', 'Linux', 'UTC', 'curl', ...Intl.supportedValuesOf('currency'), 'query', 'header', 'path', 'Main', 'desk widget', 'Widget', 'NOSUCH', '“·co”', 'zzzzzz', 'app.example', 'demo', 'ledger.csv', 'ledger62.00.csv', 'ledger63.00.csv'];

const world = { visited: [], data: NAMES };

before(async () => {
  world.folder = await mkdtemp(join(tmpdir(), 'dripline-language-'));
  world.env = { DRIPLINE_MESSAGES: await messages(world.folder) };
  world.browser = await launch();
  world.mailbox = await mailbox();
  world.demo = await demo({ env: world.env });
  await world.demo.dripline(['demo', '--write', join(world.folder, 'demo')]);
  world.data = [...(await demoData(join(world.folder, 'demo'))), ...NAMES];
  // There is never enough space on its disk, and no market data.
  const mail = { DRIPLINE_SMTP_URL: world.mailbox.url, DRIPLINE_MAIL_FROM: 'drip@example.com', DRIPLINE_SIGN_UP: 'open' };
  world.empty = await serve({ env: { ...world.env, ...mail, DRIPLINE_DISK_RESERVE_MIB: '1000000' } });
  const visitor = await world.browser.context({ locale: LOCALE });
  await signIn(await visitor.page(), world.demo);
  world.signedIn = await visitor.context.storageState();
  await visitor.close();
});

after(async () => {
  await world.browser?.close();
  await Promise.all([world.demo?.stop(), world.empty?.stop(), world.mailbox?.stop()]);
  await rm(world.folder, { recursive: true, force: true });
});

// What the demo brings: tickers, names, sectors, portfolios.
async function demoData(folder) {
  const data = new Set(['demo.csv', 'Demo']);
  for (const file of await readdir(folder)) {
    const [header, ...rows] = (await readFile(join(folder, file), 'utf8')).split('\n').map(cells);
    for (const [at, column] of header.entries()) if (['symbol', 'name', 'portfolio', 'note', 'sector', 'exchange'].includes(column)) rows.forEach(row => row[at]?.length > 1 && data.add(row[at]));
  }
  return [...data];
}

const cells = line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'));

// `own` is what only this page shows: the content of a file.
async function sound(page, own = []) {
  world.visited.push(new URL(page.url()).pathname);
  assert.equal(await page.getAttribute('html', 'lang'), LOCALE, `${page.url()} is in another language`);
  await noEnglish(page, [...own, ...world.data].sort((one, other) => other.length - one.length));
  await noOverflow(page, [390, 1440]);
  await nothingCutOff(page);
}

async function met(options, reach) {
  const visitor = await world.browser.context({ locale: LOCALE, ...options });
  try {
    const page = await visitor.page();
    await reach(page, visitor.watch);
    // A search also finds what the demo does not bring.
    const found = page.url().includes('/search') ? await page.$$eval('.symbol, .symbol + .under, td[data-label]:has(+ td[data-label])', all => all.map(each => each.textContent.trim())) : [];
    await sound(page, found.filter(text => text.length > 1));
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
}

const open = (service, path, status) => async (page, watch) => {
  if (status) watch.announce(status, path.split('?')[0]);
  await page.goto(service.url + path);
};

const STRANGERS = [
  ['/sign-in'],
  ['/sign-up'],
  ['/sign-up/nothing', 404],
  ['/reset'],
  ['/reset/nothing', 404],
  ['/unlock/nothing', 404],
  ['/calendar'],
  ['/search?q=co'],
  ['/search?q=zzzzzz'],
  ['/search'],
  ['/stocks/KO'],
  ['/stocks/NOSUCH', 404],
  ['/developers'],
  ['/p/nobody', 404],
  ['/nowhere', 404],
  ['/theme', 405],
  ['/oauth/authorize', 400],
];
const USERS = [
  ['/'],
  ['/?years=25&drip=true'],
  ['/upcoming'],
  ['/dividends'],
  ['/dividends/missing'],
  ['/holdings'],
  ['/stocks/NOSUCH', 404],
  ['/radar'],
  ['/whatif?symbol=NOSUCH&shares=50', 404],
  ['/whatif?symbol=KO&shares=1&amount=1', 422],
  ['/ledger'],
  ['/ledger?symbol=NOSUCH'],
  ['/ledger/new'],
  ['/ledger/new?kind=sell'],
  ['/ledger/new?kind=dividend'],
  ['/ledger/new?kind=split'],
  ['/ledger/new?kind=transfer_in'],
  ['/ledger/new?kind=transfer_out'],
  ['/ledger/new?kind=opening'],
  ['/ledger/new?kind=return_of_capital'],
  ['/portfolios'],
  ['/import'],
  ['/settings'],
  ['/settings/security'],
  ['/settings/access'],
  ['/settings/data'],
  ['/settings/verify/nothing', 404],
  ['/settings/email/nothing', 404],
  ['/confirm'],
  ['/device'],
  ['/device?code=BCDF-GHJK'],
  ['/settings/market-data'],
  ['/securities'],
  ['/calendar'],
  ['/search?q=co'],
];
const EXPLAINED = ['figure=net_annual_income', 'figure=growth', 'figure=net_income&symbol=KO', 'figure=safety&symbol=KO', 'figure=average_cost&symbol=KO', 'figure=ex_dividend_date&symbol=KO', 'figure=yield_pct&symbol=KO', 'figure=received&symbol=KO'];
const FULL = [...EXPLAINED.map(query => [`/explain?${query}`]), ['/stocks/KO'], ['/whatif?symbol=KO&shares=50'], ['/ledger/1'], ['/ledger/1/delete'], ['/ledger/new?kind=dividend&symbol=KO'], ['/dividends?year=2020'], ['/?portfolio=Core'], ['/oauth/authorize', 400]];

for (const [path, status] of STRANGERS) test(`${path}, signed out`, () => met({}, (...page) => open(world.demo, path, status)(...page)));
for (const [path, status] of [...USERS, ...FULL]) {
  test(`${path}, with data`, () => met({ storageState: world.signedIn }, (...page) => open(world.demo, path, status)(...page)));
}

test('a first start', () =>
  met({}, async (page, watch) => {
    await page.goto(world.empty.url);
    await sound(page);
    await page.fill('#email', EMAIL);
    await page.fill('#password', 'passwordpassword');
    await page.check('input[name=source][value=none]');
    watch.announce(422, '/welcome');
    await post(page, '/welcome');
    await sound(page);
    await page.fill('#password', PASSWORD);
    await post(page, '/welcome');
    world.newcomer = await page.context().storageState();
  }));

for (const [path, status] of USERS) {
  test(`${path}, without data`, () => met({ storageState: world.newcomer }, (...page) => open(world.empty, path, status)(...page)));
}

// ---- what forms answer ----

const as = (whose, reach) => met({ storageState: world[whose] }, reach);

const upload = async (page, service, name, text) => {
  await page.goto(`${service.url}/import`);
  await page.setInputFiles('main input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  return post(page, '/import');
};

test('an import, from its plan to its undoing', () =>
  as('signedIn', async page => {
    await upload(page, world.demo, 'ledger.csv', 'date,type,symbol,shares,price,currency\n2026-03-02,buy,KO,5,61.00,USD\n');
    await sound(page);
    await post(page, `${new URL(page.url()).pathname}/apply`);
    await sound(page);
    await post(page, `/import/undo/${new URL(page.url()).pathname.split('/').pop()}`);
  }));

// Plans that cannot be imported as they are: securities to match, columns to match, rows with every kind of error, no table at all.
const BAD_ROWS = new URL('../../crates/importers/tests/fixtures/generic/bad_rows.csv', import.meta.url);
const PLANS = [
  ['questions', 'Date,Type,ISIN,Name,Shares,Price,Currency\n2026-03-02,Buy,XS0000000009,Widget,5,61.00,EUR\n2026-03-03,Buy,XS0000000017,Widget,5,61.00,EUR\n'],
  ['columns', 'When,What,Ticker,How many,Each,Money\n2026-03-02,Buy,KO,5,61.00,USD\n2026-03-03,Hodl,NOSUCH,5,61.00,USD\n'],
  ['rows with errors', readFile(BAD_ROWS)],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['nothing', ''],
];
const valuesOf = content => String(content).split(/[,\n"]+/).filter(value => value.length > 1);
for (const [name, content] of PLANS) {
  test(`an import of ${name}`, () =>
    as('signedIn', async page => {
      await upload(page, world.demo, 'ledger.csv', await content);
      await sound(page, valuesOf(await content));
      await post(page, `${new URL(page.url()).pathname}/discard`);
    }));
}

test('securities that are matched, and imported without a match', () =>
  as('signedIn', async page => {
    await upload(page, world.demo, 'ledger.csv', PLANS[0][1]);
    const [answer, own] = [`${new URL(page.url()).pathname}/answer`, valuesOf(PLANS[0][1])];
    await page.fill('#other-q1', 'KO');
    await press(page, 'form:has(#other-q1) button');
    await sound(page, own);
    await Promise.all([page.waitForNavigation(), page.click('main button[name=keep]')]);
    await sound(page, own);
    await post(page, answer.replace('/answer', '/discard'));
  }));

test('rows with errors that are fixed', () =>
  as('signedIn', async page => {
    const own = ['GB00HL000013', 'conversion'];
    await upload(page, world.demo, 'ledger.csv', 'date,type,isin,shares,price,currency\n2026-03-02,buy,GB00HL000013,5,61.00,USD\n2026-03-03,buy,GB00HL000013,5,61.00,USD\n');
    await sound(page, own);
    await press(page, 'button[name=skip_all]');
    await sound(page, own);
    await post(page, `${new URL(page.url()).pathname}/discard`);
    await upload(page, world.demo, 'ledger.csv', 'date,type,symbol,shares,price,currency\n2026-03-02,sell,NOSUCH,5,61.00,USD\n2026-03-03,conversion,NOSUCH,1.5,61.00,USD\n');
    await sound(page, own);
    await press(page, 'button[name=skip]');
    await page.locator('.fixes summary').click();
    await sound(page, own);
    await press(page, '.fixes form button');
    await sound(page, own);
    await post(page, `${new URL(page.url()).pathname}/apply`);
    await sound(page, own);
    await post(page, `/import/undo/${new URL(page.url()).pathname.split('/').pop()}`);
  }));

test('imports that are not finished', () =>
  as('signedIn', async page => {
    for (const price of ['62.00', '63.00']) await upload(page, world.demo, `ledger${price}.csv`, `date,type,symbol,shares,price,currency\n2026-03-02,buy,KO,5,${price},USD\n`);
    await page.goto(`${world.demo.url}/import`);
    await sound(page);
    await post(page, '/import/discard-all');
  }));

test('entries that are refused', () =>
  as('signedIn', async (page, watch) => {
    for (const [query, shares, date] of [['kind=sell&symbol=KO', '100000', '2026-10-01'], ['kind=buy&symbol=KO', '-5', '2026-10-01']]) {
      await page.goto(`${world.demo.url}/ledger/new?${query}`);
      await page.fill('#shares', shares);
      await page.fill('#price', '1');
      await page.fill('#date', date);
      watch.announce(422, '/ledger/new');
      await post(page, '/ledger/new');
      await sound(page);
    }
  }));

test('targets of the watchlist', () =>
  as('signedIn', async (page, watch) => {
    await page.goto(`${world.demo.url}/radar`);
    await page.fill('#symbol', 'NOSUCH');
    watch.announce(422, '/radar/add');
    await post(page, '/radar/add');
  }));

test('a token and a feed', () =>
  as('signedIn', async page => {
    for (const what of ['tokens', 'feeds']) {
      await page.goto(`${world.demo.url}/settings/access`);
      await page.fill(`main form[action="/settings/access/${what}"] input[name=name]`, 'desk widget');
      await post(page, `/settings/access/${what}`);
      await sound(page);
    }
    await page.goto(`${world.demo.url}/settings/access`);
  }));

test('a shared portfolio', () =>
  as('signedIn', async page => {
    await page.goto(`${world.demo.url}/portfolios`);
    await post(page, '/portfolios/share');
    await sound(page);
    await post(page, '/portfolios/amounts');
    const { slug } = (await api(world.demo.url, '/api/v1/portfolios', world.demo.token)).body.portfolios.find(one => one.slug);
    world.data.push(slug);
    await page.goto(`${world.demo.url}/p/${slug}`);
  }));

test('the second factor', () =>
  as('signedIn', async (page, watch) => {
    await page.goto(`${world.demo.url}/settings/security`);
    await post(page, '/settings/security/factor');
    await sound(page);
    await page.fill('main form[action="/settings/security/factor/confirm"] input[name=code]', '000000');
    watch.announce(422, '/settings/security/factor/confirm');
    await post(page, '/settings/security/factor/confirm');
  }));

const SECRET_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

// The code that an authenticator shows at the service's time.
function totp(secret) {
  const bits = [...secret].map(digit => SECRET_DIGITS.indexOf(digit).toString(2).padStart(5, '0')).join('');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.parse(NOW) / 30_000)));
  const hash = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map(byte => parseInt(byte, 2)))).update(counter).digest();
  return String((hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('a sign-in with a second factor', () =>
  met({}, async (page, watch) => {
    const cara = { url: world.demo.url, email: 'cara@example.com', password: PASSWORD };
    await world.demo.dripline(['user', 'add', cara.email, '--password-stdin'], { input: PASSWORD });
    await signIn(page, cara);
    await page.goto(`${cara.url}/settings/security`);
    await post(page, '/settings/security/factor');
    await page.fill('#code', totp((await page.textContent('#secret')).trim()));
    await post(page, '/settings/security/factor/confirm');
    const codes = (await page.locator('main .codes li').allTextContents()).map(code => code.trim());
    world.data.push(...codes);
    await sound(page);
    await page.goto(`${cara.url}/settings/security`);
    await sound(page);
    await page.context().clearCookies();
    await signIn(page, cara);
    assert.equal(new URL(page.url()).pathname, '/sign-in/code');
    await sound(page);
    await page.fill('#code', '000000');
    watch.announce(422, '/sign-in/code');
    await post(page, '/sign-in/code');
    await sound(page);
    await page.fill('#code', codes[0]);
    await post(page, '/sign-in/code');
    await page.goto(`${cara.url}/confirm`);
  }));

// ---- apps ----

async function oauth(path, body) {
  const isForm = body instanceof URLSearchParams;
  const headers = isForm ? {} : { 'Content-Type': 'application/json' };
  return (await fetch(`${world.demo.url}/oauth/${path}`, { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) })).json();
}

// The service under its other host name plays the app that is on this computer.
const ownApp = () => `${world.demo.url.replace('127.0.0.1', 'localhost')}/developers`;
const APPS = ['https://app.example/callback', 'com.example.widget:/callback'];

async function registered() {
  const app = { client_name: 'Widget', token_endpoint_auth_method: 'none', redirect_uris: [...APPS, ownApp()] };
  world.app ??= (await oauth('register', app)).client_id;
  return world.app;
}

const asking = (client_id, redirect_uri, more) => {
  const fields = { response_type: 'code', client_id, redirect_uri, state: 's', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', ...more };
  return `${world.demo.url}/oauth/authorize?${new URLSearchParams(fields)}`;
};

test('apps of every kind that ask for access', () =>
  as('signedIn', async page => {
    world.data.push('localhost', 'com.example.widget');
    const id = await registered();
    for (const redirect of [...APPS, ownApp()]) {
      await page.goto(asking(id, redirect));
      await sound(page);
    }
    await page.goto(asking(id, APPS[0], { resource: `${world.demo.url}/mcp` }));
    await sound(page);
    const known = await world.demo.dripline(['client', 'add', '--name', 'Widget', '--redirect-uri', APPS[0]]);
    await page.goto(asking(known.trim(), APPS[0]));
  }));

// Sends the form of a page that asks, as it was or with another value.
async function decide(page, watch, status, action, fields) {
  watch.announce(status, action);
  await page.goto(`${world.demo.url}/settings`);
  await page.evaluate(([action, fields]) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action });
    for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  }, [action, fields]);
  await page.waitForURL(url => url.pathname === action);
  await page.waitForLoadState();
}

const fieldsOf = (page, action) => page.evaluate(action => [...new FormData(document.querySelector(`form[action="${action}"]`)), ['decision', 'allow']], action);

test('an app that is allowed, again, too late, and after its removal', () =>
  as('signedIn', async (page, watch) => {
    const id = await registered();
    await page.goto(asking(id, ownApp()));
    const fields = await fieldsOf(page, '/oauth/consent');
    await page.click('main button[value="allow"]');
    await page.waitForURL(/\/developers\?code=/);
    await page.goto(asking(id, ownApp()));
    await sound(page);
    await decide(page, watch, 409, '/oauth/consent', fields);
    await sound(page);
    await decide(page, watch, 403, '/oauth/consent', fields.map(([name, value]) => [name, name === 'once' ? 'late' : value]));
    await sound(page);
    await page.goto(asking(id, ownApp()));
    await page.click('main button[value="deny"]');
    await page.waitForURL(/\/developers\?error=/);
    assert.deepEqual(english(new URL(page.url()).searchParams.get('error_description'), world.data), []);
    await page.goto(`${world.demo.url}/settings/access`);
    await sound(page);
    await world.demo.dripline(['client', 'remove', id]);
    delete world.app;
    watch.announce(403, '/oauth/authorize');
    await page.goto(asking(id, ownApp()));
  }));

test('requests of apps that are refused', () =>
  as('signedIn', async (page, watch) => {
    const id = await registered();
    for (const address of [asking('nobody', APPS[0]), asking(id, 'https://other.example/'), `${world.demo.url}/oauth/authorize?client_id=%zz`]) {
      watch.announce(400, '/oauth/authorize');
      await page.goto(address);
      await sound(page);
    }
  }));

test('a request of an app that is refused, signed out', () =>
  met({}, async (page, watch) => {
    watch.announce(400, '/oauth/authorize');
    await page.goto(asking(await registered(), APPS[0], { code_challenge_method: 'plain' }));
  }));

async function deviceCode(page) {
  world.device ??= (await oauth('register', { client_name: 'Widget', token_endpoint_auth_method: 'none', grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] })).client_id;
  const { user_code: code } = await oauth('device_authorization', new URLSearchParams({ client_id: world.device }));
  world.data.push(...code.split('-'));
  await page.goto(`${world.demo.url}/device?code=${code}`);
  await post(page, '/device');
}

for (const decision of ['allow', 'deny']) {
  test(`a device, with the answer “${decision}”`, () =>
    as('signedIn', async (page, watch) => {
      await deviceCode(page);
      await sound(page);
      const fields = await fieldsOf(page, '/device/decide');
      await page.click(`main button[value="${decision}"]`);
      await page.waitForURL(/\/settings\/access/);
      await sound(page);
      await decide(page, watch, 409, '/device/decide', fields);
      await sound(page);
      await decide(page, watch, 403, '/device/decide', fields.map(([name, value]) => [name, name === 'once' ? 'late' : value]));
    }));
}

test('codes of devices that are wrong, and too many of them', () =>
  as('signedIn', async (page, watch) => {
    await page.goto(`${world.demo.url}/device`);
    await page.fill('#code', 'BCDF-GHJK');
    watch.announce(422, '/device');
    await post(page, '/device');
    await sound(page);
    await page.evaluate(async () => {
      const body = new URLSearchParams(new FormData(document.querySelector('main form')));
      while ((await fetch('/device', { method: 'POST', body })).status !== 429);
    });
    watch.faults.length = 0;
    watch.announce(429, '/device');
    await post(page, '/device');
  }));

// ---- error pages ----

// Sends a form that no page of ours would send.
async function send(page, watch, status, action, change) {
  watch.announce(status, action);
  await page.evaluate(change);
  await page.waitForURL(url => url.pathname === action);
  await page.waitForLoadState();
}

test('a form whose page is too old', () =>
  met({}, async (page, watch) => {
    await page.goto(`${world.demo.url}/reset`);
    await page.goto(`${world.demo.url}/sign-in`);
    await send(page, watch, 403, '/sign-in', () => {
      const form = document.querySelector('main form');
      form.querySelector('[name=_token]').value = 'old';
      form.noValidate = true;
      form.submit();
    });
  }));

test('a form that is too large', () =>
  met({}, async (page, watch) => {
    await page.goto(`${world.demo.url}/sign-in`);
    await send(page, watch, 413, '/sign-in', () => {
      const form = document.querySelector('main form');
      const field = document.createElement('textarea');
      Object.assign(field, { name: 'more', value: 'x'.repeat(70_000) });
      form.append(field);
      form.submit();
    });
  }));

test('a form of another kind', () =>
  met({}, async (page, watch) => {
    await page.goto(`${world.demo.url}/sign-in`);
    await send(page, watch, 415, '/sign-in', () => {
      const form = document.querySelector('main form');
      form.enctype = 'text/plain';
      form.submit();
    });
  }));

test('no space left', () =>
  as('newcomer', async (page, watch) => {
    watch.announce(507, '/import');
    await upload(page, world.empty, 'ledger.csv', 'date,type,symbol,shares,price,currency\n2026-03-02,buy,KO,5,61.00,USD\n');
    await sound(page);
    await page.goto(`${world.empty.url}/settings/data`);
    watch.announce(507, '/settings/data/export');
    await post(page, '/settings/data/export');
  }));

// With a session that was looked up, the page is the user's own; after a fault it offers nothing that may be wrong.
const isSignedIn = page => page.locator('header.top form[action="/sign-out"]').count();
const offersSignIn = page => page.locator('header.top a[href="/sign-in"]').count();

test('a page that is not there, for a user', () =>
  as('newcomer', async (page, watch) => {
    watch.announce(404, '/nowhere');
    await page.goto(`${world.empty.url}/nowhere`);
    assert.deepEqual([await isSignedIn(page), await offersSignIn(page)], [1, 0]);
  }));

const database = () => join(world.empty.folder, 'data', 'dripline.db');

test('a database that is locked', () =>
  as('newcomer', async (page, watch) => {
    await page.goto(`${world.empty.url}/portfolios`);
    await page.fill('#name', 'Widget');
    watch.announce(503, '/portfolios/add');
    await locked(database(), () => post(page, '/portfolios/add'));
    assert.deepEqual([await isSignedIn(page), await offersSignIn(page)], [0, 0]);
  }));

test('a database that is damaged', () =>
  as('newcomer', async (page, watch) => {
    await execute(database(), 'ALTER TABLE entries RENAME TO elsewhere');
    try {
      watch.announce(500, '/ledger');
      await page.goto(`${world.empty.url}/ledger`);
    } finally {
      await execute(database(), 'ALTER TABLE elsewhere RENAME TO entries');
    }
    assert.deepEqual([await isSignedIn(page), await offersSignIn(page)], [0, 0]);
  }));

// ---- letters ----

// The link to a path in the next letter that has one.
async function letter(path) {
  const { subject, text } = await world.mailbox.next();
  const words = english(`${subject}\n${text}`, world.data);
  assert.deepEqual(words, [], `English in a letter:\n${subject}\n${text}`);
  const link = text.match(/https?:\S+/g)?.find(one => one.includes(path));
  return link ? new URL(link).pathname : letter(path);
}

test('a new password by mail', () =>
  met({}, async page => {
    await page.goto(`${world.empty.url}/reset`);
    await sound(page);
    await page.fill('#email', EMAIL);
    await post(page, '/reset');
    await sound(page);
    await page.goto(world.empty.url + (await letter('/reset/')));
  }));

test('an account by mail', () =>
  met({}, async page => {
    await page.goto(`${world.empty.url}/sign-up`);
    await sound(page);
    await page.fill('#email', 'bob@example.com');
    await post(page, '/sign-up');
    await sound(page);
    await page.goto(world.empty.url + (await letter('/sign-up/')));
  }));

test('an address that is verified, and one that changes', () =>
  as('newcomer', async page => {
    await page.goto(`${world.empty.url}/settings/security`);
    await post(page, '/settings/security/verify');
    await sound(page);
    await page.goto(world.empty.url + (await letter('/settings/verify/')));
    await sound(page);
    await page.goto(`${world.empty.url}/settings/security`);
    await page.fill('main form[action="/settings/security/email"] input[name=email]', 'other@example.com');
    await post(page, '/settings/security/email');
    await sound(page);
    await page.goto(world.empty.url + (await letter('/settings/email/')));
  }));

test('an account that is locked', () =>
  met({}, async (page, watch) => {
    await page.goto(`${world.empty.url}/sign-in`);
    for (let tries = 0; tries < 15 && !(await page.locator('form[action="/unlock"]').count()); tries += 1) {
      await page.fill('#email', EMAIL);
      await page.fill('#password', `wrong ${PASSWORD}`);
      await post(page, '/sign-in');
      if (tries === 0) await sound(page);
    }
    watch.faults.length = 0;
    await sound(page);
    await post(page, '/unlock');
    await sound(page);
    await page.goto(world.empty.url + (await letter('/unlock/')));
  }));

test('too many pages', () =>
  met({}, async (page, watch) => {
    await page.goto(`${world.empty.url}/sign-in`);
    await page.evaluate(async () => {
      while ((await fetch('/sign-in')).status !== 429);
    });
    watch.faults.length = 0;
    watch.announce(429, '/sign-in');
    await page.goto(`${world.empty.url}/sign-in`);
  }));

test('every page was visited', async () => {
  const source = await readFile(new URL('../../crates/pages/src/lib.rs', import.meta.url), 'utf8');
  const routes = [...source.matchAll(/\.route\("([^"]+)", get\(/g)].map(([, route]) => route);
  assert.ok(routes.length > 30, 'the routes were not read');
  // Files, parts of a page, and addresses that only lead to another.
  const others = [/^\/(assets|feed|favicon|robots|import\/files|search\/suggest|ledger\/(suggest|export)|help\/market-data|\.well-known)/, /^\/(settings\/access|dividends\/missing)\/./];
  const isVisited = route => world.visited.some(path => new RegExp(`^${route.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path));
  assert.deepEqual(routes.filter(route => !isVisited(route) && !others.some(other => other.test(route))), []);
});
