// What users do on most visits.
import assert from 'node:assert/strict';

export async function signIn(page, { url, email, password }) {
  await page.goto(`${url}/sign-in`);
  await page.fill('#email', email);
  await page.fill('#password', password);
  await post(page, '/sign-in');
  assert.notEqual(new URL(page.url()).pathname, '/sign-in', 'the sign-in was refused');
}

// Calls the API, and returns status, ETag and body.
export async function api(url, path, token) {
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
  const body = await answer.json();
  return { status: answer.status, etag: answer.headers.get('etag'), body };
}

// The first form that posts to an address.
export async function form(page, action, within = 'main') {
  const found = page.locator(`${within} form[action="${action}"]`);
  assert.ok((await found.count()) > 0, `${page.url()} has no form to ${action}`);
  return found.first();
}

// Submits the form to an address by its button, confirms if asked, and opens the <details> around it if necessary.
export async function post(page, action) {
  await form(page, action);
  // The primary button submits the form, else the last one; the others do something else.
  const buttons = page.locator(`main form[action="${action}"]:has(button:visible)`).first().locator('button:visible');
  if (!(await buttons.count())) await page.locator(`main details:has(form[action="${action}"]) > summary:visible`).first().click();
  const primary = buttons.and(page.locator('.primary'));
  const button = ((await primary.count()) ? primary : buttons).last();
  const before = page.url();
  const asks = (await button.getAttribute('data-confirm')) && (await page.evaluate(() => matchMedia('(scripting: enabled)').matches));
  const answered = page.waitForResponse(response => response.request().method() === 'POST' && new URL(response.url()).pathname === action);
  await button.click();
  if (asks) {
    // Two quick clicks count as one.
    await page.waitForTimeout(500);
    await button.click();
  }
  const answer = await answered;
  if (answer.status() === 303) await page.waitForURL(new URL(answer.headers().location, before).href);
  await page.waitForLoadState();
  return answer.status();
}

// Presses a button of a form that leads to a page, perhaps the same one.
export async function press(page, button) {
  const loaded = page.waitForEvent('load');
  await page.locator(button).first().click();
  await loaded;
}

// Enters the password if the page asks for it again.
export async function confirmed(page, password) {
  if (new URL(page.url()).pathname !== '/confirm') return false;
  await page.fill('#password', password);
  await post(page, '/confirm');
  return true;
}
