// An app requests access, in a real browser: the pages pass all checks, and their policy lets the response reach the app.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { axe, noOverflow, noOverflowInPrint } from './lib/checks.mjs';
import { withDemo } from './lib/with_demo.mjs';
import { api } from './lib/visitor.mjs';

const VERIFIER = 'a-verifier-of-more-than-forty-three-characters-~_.';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
// Longer than any line, without a place to break it.
const NAME = `Widget ${'W'.repeat(73)}`;

const world = withDemo();

async function checkPage(reach) {
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

async function post(path, body, type = 'application/x-www-form-urlencoded') {
  const answer = await fetch(world.service.url + path, { method: 'POST', headers: { 'Content-Type': type }, body });
  return answer.json();
}

const register = async more => {
  const metadata = { client_name: NAME, token_endpoint_auth_method: 'none', ...more };
  const { client_id: id } = await post('/oauth/register', JSON.stringify(metadata), 'application/json');
  assert.ok(id, 'the app is registered');
  return id;
};

const authorizeUrl = (id, redirect, more = {}) => {
  const fields = { response_type: 'code', client_id: id, redirect_uri: redirect, state: 's', code_challenge: CHALLENGE, code_challenge_method: 'S256', ...more };
  return `${world.service.url}/oauth/authorize?${new URLSearchParams(fields)}`;
};

// The service under its other host name plays the app: to the browser and to the page's policy, that is another site.
const appUrl = () => `${world.service.url.replace('127.0.0.1', 'localhost')}/developers`;

// Registered once, because an address may register only ten apps an hour.
const registeredApp = async () => (world.app ??= await register({ redirect_uris: [appUrl()] }));

// The query of the address that a click on the button leads to.
async function clickDecision(page, decision) {
  await page.click(`main button[value="${decision}"]`);
  await page.waitForURL(/\/developers\?/);
  return new URL(page.url()).searchParams;
}

async function connectApp(page, more) {
  const id = await registeredApp();
  await page.goto(authorizeUrl(id, appUrl(), more));
  const answer = await clickDecision(page, 'allow');
  assert.equal(answer.get('state'), 's');
  assert.equal(answer.get('iss'), world.service.url);
  const fields = { grant_type: 'authorization_code', client_id: id, code: answer.get('code'), redirect_uri: appUrl(), code_verifier: VERIFIER };
  return post('/oauth/token', new URLSearchParams(fields));
}

for (const redirect of ['https://app.example/callback', 'http://127.0.0.1/callback', 'com.example.widget:/callback', `https://${'long.'.repeat(40)}example/`]) {
  test(`the consent page passes all checks for an app at ${redirect.slice(0, 40)}`, () =>
    checkPage(async page => {
      const id = await register({ redirect_uris: [redirect] });
      await page.goto(authorizeUrl(id, redirect));
      assert.match(await page.textContent('h1'), /Allow access\?/);
    }));
}

test('app, access and redirect are readable lines, on a phone and on a wide screen', () =>
  checkPage(async page => {
    await page.goto(authorizeUrl(await registeredApp(), appUrl()));
    for (const [width, least] of [[1440, 300], [390, 250]]) {
      await page.setViewportSize({ width, height: 900 });
      const widths = await page.locator('main dl dd').evaluateAll(all => all.map(one => one.getBoundingClientRect().width));
      assert.ok(widths.length === 4 && widths.every(wide => wide >= least), `at ${width}: ${widths}`);
    }
    assert.deepEqual(await page.locator('main dl dt').allTextContents(), ['App', 'Access', 'Redirects to', 'Your account']);
  }));

test('a consent form that is sent again is reported, and leads back to the request', () =>
  checkPage(async (page, visitor) => {
    await page.goto(authorizeUrl(await registeredApp(), appUrl()));
    const again = await page.evaluate(() => [...new FormData(document.querySelector('form[action="/oauth/consent"]'))]);
    await clickDecision(page, 'allow');
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

test('when access is allowed, the app gets a token that works for the API', () =>
  checkPage(async page => {
    const { access_token: token } = await connectApp(page);
    const { status, body } = await api(world.service.url, '/api/v1/me', token);
    assert.equal(status, 200, JSON.stringify(body));
  }));

test('when access is denied, the app is told', () =>
  checkPage(async page => {
    const id = await registeredApp();
    await page.goto(authorizeUrl(id, appUrl()));
    assert.equal((await clickDecision(page, 'deny')).get('error'), 'access_denied');
  }));

test('an untrusted request is reported to the user and not redirected', () =>
  checkPage(async (page, visitor) => {
    visitor.watch.announce(400, '/oauth/authorize');
    await page.goto(authorizeUrl('nobody', 'https://evil.example/'));
    assert.equal(new URL(page.url()).pathname, '/oauth/authorize');
  }));

test('the list of connected apps passes all checks, and revoked apps lose access', () =>
  checkPage(async page => {
    const { access_token: token } = await connectApp(page, { resource: `${world.service.url}/api/v1` });
    await connectApp(page, { resource: `${world.service.url}/mcp` });
    await page.goto(`${world.service.url}/settings/access`);
    assert.ok((await page.locator('#apps tbody tr').count()) >= 2);
    const all = page.locator('form[action="/settings/access/revoke-apps"] button');
    await all.click();
    await page.waitForTimeout(500);
    await Promise.all([page.waitForNavigation(), all.click()]);
    assert.equal(await page.locator('#apps tbody tr').count(), 0);
    assert.equal((await api(world.service.url, '/api/v1/me', token)).status, 401);
    await connectApp(page);
    await page.goto(`${world.service.url}/settings/access`);
    assert.equal(await page.locator('#apps tbody tr').count(), 1);
  }));

test('a device is connected by its code', () =>
  checkPage(async page => {
    const id = await register({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] });
    const { user_code: code } = await post('/oauth/device_authorization', new URLSearchParams({ client_id: id }));
    await page.goto(`${world.service.url}/device?code=${code}`);
    await page.click('main form[action="/device"] button');
    await page.waitForSelector('main form[action="/device/decide"]');
    await noOverflow(page);
    await axe(page);
    await page.click('main button[value="allow"]');
    await page.waitForURL(/\/settings\/access/);
    assert.ok((await page.locator('#apps tbody tr').count()) >= 1);
  }));

test('an unknown device code is reported', () =>
  checkPage(async (page, visitor) => {
    await page.goto(`${world.service.url}/device`);
    await page.fill('#code', 'BCDF-GHJK');
    visitor.watch.announce(422, '/device');
    await page.click('main form[action="/device"] button');
    await page.waitForSelector('#code-problem');
  }));
