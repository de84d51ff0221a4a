// The explanation of a figure beside the page, by keyboard, on a phone and without JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, noOverflow } from './lib/checks.mjs';
import { withDemo } from './lib/with_demo.mjs';

const world = withDemo();

async function visit(options, act) {
  const visitor = await world.browser.context({ storageState: world.signedIn, width: 390, ...options });
  try {
    await act(await visitor.page());
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
  }
}

const figure = page => page.locator('a.how[href*="figure=net_annual_income"]').first();

test('Enter opens the explanation of a figure, and Escape returns to the figure', () =>
  visit({}, async page => {
    await page.goto(world.service.url + '/');
    const shown = await figure(page).innerText();
    await figure(page).focus();
    await page.keyboard.press('Enter');
    const panel = page.locator('dialog[open]');
    await panel.waitFor();
    assert.equal(await panel.locator('.value').innerText(), shown);
    assert.equal(await page.evaluate(() => document.activeElement.closest('dialog') !== null), true);
    await panel.locator('summary').first().press('Enter');
    await panel.locator('details[open]').first().waitFor();
    await noOverflow(page, [390]);
    await axe(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    assert.match(await page.evaluate(() => document.activeElement.href), /figure=net_annual_income/);
    assert.equal(new URL(page.url()).pathname, '/');
  }));

test('the explanation closes by its button and by a click beside it', () =>
  visit({ width: 1440 }, async page => {
    await page.goto(world.service.url + '/holdings');
    const link = page.locator('.table.stacked a.how').first();
    const panel = page.locator('dialog');
    await link.click();
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'hidden' });
    await link.click();
    await panel.waitFor();
    await page.mouse.click(200, 400);
    await panel.waitFor({ state: 'hidden' });
  }));

test('without JavaScript the explanation is a page', () =>
  visit({ javaScriptEnabled: false }, async page => {
    await page.goto(world.service.url + '/');
    const shown = await figure(page).innerText();
    await figure(page).click();
    assert.equal(new URL(page.url()).pathname, '/explain');
    assert.equal(await page.locator('.value').innerText(), shown);
    await noOverflow(page, [390]);
  }));
