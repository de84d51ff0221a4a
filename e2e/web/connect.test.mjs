// An app asks for access, in a real browser: its pages are sound, and the policy of the page lets the answer reach the app.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { axe, noOverflow, noOverflowInPrint } from './lib/checks.mjs';
import { demoed } from './lib/demoed.mjs';
import { api } from './lib/visitor.mjs';

const VERIFIER = 'a-verifier-of-more-than-forty-three-characters-~_.';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
// Longer than any line, with nothing to break it at.
const NAME = `Widget ${'W'.repeat(73)}`;

const world = demoed();

async function met(reach) {
  const visitor = await world.browser.context({ storageState: world.signedIn });
  try {
    const page = await visitor.page();
    await reach(page, visitor);
    await noOverflow(page);
    await noOverflowInPrint(page);
    await axe(page);
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
}

async function sent(path, body, type = 'application/x-www-form-urlencoded') {
  const answer = await fetch(world.service.url + path, { method: 'POST', headers: { 'Content-Type': type }, body });
  return answer.json();
}

const register = async more => {
  const said = { client_name: NAME, token_endpoint_auth_method: 'none', ...more };
  const { client_id: id } = await sent('/oauth/register', JSON.stringify(said), 'application/json');
  assert.ok(id, 'the app is registered');
  return id;
};

const asking = (id, redirect, more = {}) => {
  const fields = { response_type: 'code', client_id: id, redirect_uri: redirect, state: 's', code_challenge: CHALLENGE, code_challenge_method: 'S256', ...more };
  return `${world.service.url}/oauth/authorize?${new URLSearchParams(fields)}`;
};

// The service under its other name stands for the app: to a browser, and to the policy of the page, that is another site.
const own = () => `${world.service.url.replace('127.0.0.1', 'localhost')}/developers`;

// Registered once: an address registers ten apps an hour.
const ownApp = async () => (world.app ??= await register({ redirect_uris: [own()] }));

// The address that a press of a button ends at.
async function pressed(page, decision) {
  await page.click(`main button[value="${decision}"]`);
  await page.waitForURL(/\/developers\?/);
  return new URL(page.url()).searchParams;
}

async function connected(page, more) {
  const id = await ownApp();
  await page.goto(asking(id, own(), more));
  const answer = await pressed(page, 'allow');
  assert.equal(answer.get('state'), 's');
  assert.equal(answer.get('iss'), world.service.url);
  const fields = { grant_type: 'authorization_code', client_id: id, code: answer.get('code'), redirect_uri: own(), code_verifier: VERIFIER };
  return sent('/oauth/token', new URLSearchParams(fields));
}

for (const redirect of ['https://app.example/callback', 'http://127.0.0.1/callback', 'com.example.widget:/callback', `https://${'long.'.repeat(40)}example/`]) {
  test(`the question is sound for an app at ${redirect.slice(0, 40)}`, () =>
    met(async page => {
      const id = await register({ redirect_uris: [redirect] });
      await page.goto(asking(id, redirect));
      assert.match(await page.textContent('h1'), /Allow access\?/);
    }));
}

test('who asks, what for and where the answer goes are lines that can be read, on a phone and on a wide screen', () =>
  met(async page => {
    await page.goto(asking(await ownApp(), own()));
    for (const [width, least] of [[1440, 300], [390, 250]]) {
      await page.setViewportSize({ width, height: 900 });
      const widths = await page.locator('main dl dd').evaluateAll(all => all.map(one => one.getBoundingClientRect().width));
      assert.ok(widths.length === 4 && widths.every(wide => wide >= least), `at ${width}: ${widths}`);
    }
    assert.deepEqual(await page.locator('main dl dt').allTextContents(), ['App', 'Access', 'Redirects to', 'Your account']);
  }));

test('a form that is sent again is told, and leads back to the request', () =>
  met(async (page, visitor) => {
    await page.goto(asking(await ownApp(), own()));
    const again = await page.evaluate(() => [...new FormData(document.querySelector('form[action="/oauth/consent"]'))]);
    await pressed(page, 'allow');
    visitor.watch.announce(409, '/oauth/consent');
    await page.goto(`${world.service.url}/settings`);
    await page.evaluate(fields => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/oauth/consent' });
      for (const [name, value] of [...fields, ['decision', 'allow']]) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      document.body.append(form);
      form.submit();
    }, again);
    await page.waitForURL(/\/oauth\/consent$/);
    assert.equal(await page.textContent('h1'), 'Already answered');
    await page.click('main a.button');
    await page.waitForURL(/\/oauth\/authorize\?/);
    assert.equal(await page.textContent('h1'), 'Allow access?');
  }));

test('what is allowed reaches the app, and its token opens the API', () =>
  met(async page => {
    const { access_token: token } = await connected(page);
    const { status, body } = await api(world.service.url, '/api/v1/me', token);
    assert.equal(status, 200, JSON.stringify(body));
  }));

test('what is not allowed reaches the app, too', () =>
  met(async page => {
    const id = await ownApp();
    await page.goto(asking(id, own()));
    assert.equal((await pressed(page, 'deny')).get('error'), 'access_denied');
  }));

test('a request that cannot be trusted is told and not answered', () =>
  met(async (page, visitor) => {
    visitor.watch.announce(400, '/oauth/authorize');
    await page.goto(asking('nobody', 'https://evil.example/'));
    assert.equal(new URL(page.url()).pathname, '/oauth/authorize');
  }));

test('the list of connected apps is sound, and what is revoked there is out', () =>
  met(async page => {
    const { access_token: token } = await connected(page, { resource: `${world.service.url}/api/v1` });
    await connected(page, { resource: `${world.service.url}/mcp` });
    await page.goto(`${world.service.url}/settings/access`);
    assert.ok((await page.locator('#apps tbody tr').count()) >= 2);
    const all = page.locator('form[action="/settings/access/revoke-apps"] button');
    await all.click();
    await page.waitForTimeout(500);
    await Promise.all([page.waitForNavigation(), all.click()]);
    assert.equal(await page.locator('#apps tbody tr').count(), 0);
    assert.equal((await api(world.service.url, '/api/v1/me', token)).status, 401);
    await connected(page);
    await page.goto(`${world.service.url}/settings/access`);
    assert.equal(await page.locator('#apps tbody tr').count(), 1);
  }));

test('a device is connected by its code', () =>
  met(async page => {
    const id = await register({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] });
    const { user_code: code } = await sent('/oauth/device_authorization', new URLSearchParams({ client_id: id }));
    await page.goto(`${world.service.url}/device?code=${code}`);
    await page.click('main form[action="/device"] button');
    await page.waitForSelector('main form[action="/device/decide"]');
    await noOverflow(page);
    await axe(page);
    await page.click('main button[value="allow"]');
    await page.waitForURL(/\/settings\/access/);
    assert.ok((await page.locator('#apps tbody tr').count()) >= 1);
  }));

test('a code that is none is told', () =>
  met(async (page, visitor) => {
    await page.goto(`${world.service.url}/device`);
    await page.fill('#code', 'BCDF-GHJK');
    visitor.watch.announce(422, '/device');
    await page.click('main form[action="/device"] button');
    await page.waitForSelector('#code-problem');
  }));
