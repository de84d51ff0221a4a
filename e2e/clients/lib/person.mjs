// A user at a browser who grants apps access, under the pages' real content security policy.
import assert from 'node:assert/strict';
import { confirmed, post } from '../../web/lib/visitor.mjs';

export class Person {
  #visitor;
  #page;
  #service;

  static async at(browser, service) {
    const person = new Person();
    person.#visitor = await browser.context();
    person.#page = await person.#visitor.page();
    person.#service = service;
    return person;
  }

  allow(address, app, arrival) {
    return this.#decide(address, app, 'Allow', arrival);
  }

  deny(address, app) {
    return this.#decide(address, app, 'Cancel');
  }

  // Opens the app's request, checks that the page names the app and the redirect host, decides, and must arrive at the app.
  async #decide(address, app, button, arrival = redirectOf(address)) {
    await this.open(address);
    await this.#assertNames(app, new URL(redirectOf(address)).hostname);
    await this.#click(button);
    return this.waitForArrival(arrival);
  }

  // Enters a device's code at the address it names, and allows the request.
  async allowDevice(address, code, app) {
    await this.open(address);
    await this.#page.fill('#code', code);
    await post(this.#page, '/device');
    await this.#assertNames(app, code);
    await this.#click('Allow');
    await this.waitForArrival(`${this.#service.url}/settings/access`);
  }

  // Clicks "Revoke" in the row of an app or a token.
  async revoke(name) {
    await this.open(`${this.#service.url}/settings/access`);
    const line = this.#page.locator('main tr').filter({ has: this.#page.getByRole('rowheader', { name, exact: true }) });
    const button = line.getByRole('button', { name: 'Revoke' });
    await button.click();
    await this.#page.waitForTimeout(500); // The button asks for confirmation, and two quick clicks count as one.
    await button.click();
    await line.getByRole('button').waitFor({ state: 'detached' });
    await this.#visitor.watch.assertClean();
  }

  // Opens an address, and signs in if necessary.
  async open(address) {
    await this.#page.goto(address);
    const { email, password } = this.#service;
    if (new URL(this.#page.url()).pathname === '/sign-in') {
      await this.#page.fill('#email', email);
      await this.#page.fill('#password', password);
      await this.#page.locator('main form[action="/sign-in"] button').last().click();
      await this.#until(url => url.pathname !== '/sign-in');
    }
    await confirmed(this.#page, password);
  }

  async waitForArrival(address) {
    await this.#until(url => url.href.split('?')[0] === address);
    await this.#visitor.watch.assertClean();
    return new URL(this.#page.url());
  }

  // On a timeout, reports what blocked the browser first: it says more than the timeout.
  async #until(predicate) {
    const timeout = await this.#page.waitForURL(predicate).catch(error => error);
    if (timeout) await this.#visitor.watch.assertClean();
    if (timeout) throw timeout;
  }

  async #assertNames(...expected) {
    const named = await this.#page.locator('main .named').allTextContents();
    for (const text of expected) assert.ok(named.includes(text), `${this.#page.url()} names ${named.join(', ')}, but not ${text}`);
  }

  #click(name) {
    return this.#page.getByRole('button', { name, exact: true }).click();
  }
}

const redirectOf = address => new URL(address).searchParams.get('redirect_uri');
