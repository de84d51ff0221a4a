// Somebody at a browser who is asked by apps, under the policy that the pages really have.
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

  // Opens what the app asks for, reads who asks and where the answer goes, decides, and must arrive at the app.
  async #decide(address, app, button, arrival = redirectOf(address)) {
    await this.open(address);
    await this.#reads(app, new URL(redirectOf(address)).hostname);
    await this.#press(button);
    return this.arrived(arrival);
  }

  // Types a device's code where the device says, and allows what it asks for.
  async allowDevice(address, code, app) {
    await this.open(address);
    await this.#page.fill('#code', code);
    await post(this.#page, '/device');
    await this.#reads(app, code);
    await this.#press('Allow');
    await this.arrived(`${this.#service.url}/settings/access`);
  }

  // Presses "Revoke" on the line of an app or of a token.
  async revoke(name) {
    await this.open(`${this.#service.url}/settings/access`);
    const line = this.#page.locator('main tr').filter({ has: this.#page.getByRole('rowheader', { name, exact: true }) });
    const button = line.getByRole('button', { name: 'Revoke' });
    await button.click();
    await this.#page.waitForTimeout(500); // It asks, and two presses within a blink are one.
    await button.click();
    await line.getByRole('button').waitFor({ state: 'detached' });
    await this.#visitor.watch.assertClean();
  }

  // Opens an address, and signs in where that is asked for.
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

  async arrived(address) {
    await this.#until(url => url.href.split('?')[0] === address);
    await this.#visitor.watch.assertClean();
    return new URL(this.#page.url());
  }

  // What holds the browser back says more than that it did not come.
  async #until(there) {
    const late = await this.#page.waitForURL(there).catch(error => error);
    if (late) await this.#visitor.watch.assertClean();
    if (late) throw late;
  }

  async #reads(...expected) {
    const named = await this.#page.locator('main .named').allTextContents();
    for (const text of expected) assert.ok(named.includes(text), `${this.#page.url()} does not name ${text}, but ${named.join(', ')}`);
  }

  #press(name) {
    return this.#page.getByRole('button', { name, exact: true }).click();
  }
}

const redirectOf = address => new URL(address).searchParams.get('redirect_uri');
