// Tests the harness itself: each fault is caught by kind, and a page without one passes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axe, figures, noOverflow, weight } from './lib/checks.mjs';
import { launch } from './lib/browser.mjs';
import { faulty } from './lib/faulty.mjs';

let browser, site;
before(async () => {
  site = await faulty();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await site.stop();
});

async function visit(path, options, use) {
  const visitor = await browser.context(options);
  const page = await visitor.page();
  await page.goto(site.url + path).catch(() => {}); // The watch reports pages that cannot be reached.
  await use(page, visitor.watch);
  await visitor.close();
}

test('a page without a fault passes every check', () =>
  visit('/clean', {}, async (page, watch) => {
    await noOverflow(page);
    await axe(page);
    await watch.assertClean();
  }));

test('a page without a fault passes without JavaScript, where axe reports that it cannot run', () =>
  visit('/clean', { javaScriptEnabled: false }, async (page, watch) => {
    await noOverflow(page);
    await watch.assertClean();
    await assert.rejects(axe(page), /axe needs a context with JavaScript on/);
  }));

const WATCHED = {
  '/console-error': 'console error',
  '/page-error': 'page error',
  '/inline-style': 'CSP violation',
  '/inline-script': 'CSP violation',
  '/another-host': 'another host',
  '/missing-asset': 'status',
  '/failed-request': 'failed request',
};

for (const [path, kind] of Object.entries(WATCHED)) {
  test(`${path} is caught as "${kind}" and nothing else`, () =>
    visit(path, {}, async (page, watch) => {
      await page.waitForLoadState('load');
      await assert.rejects(watch.assertClean(), new RegExp(`${kind}: `));
      assert.deepEqual([...new Set(watch.faults.map(fault => fault.kind))], [kind]);
    }));
}

test('a policy violation is also caught without JavaScript', () =>
  visit('/inline-style', { javaScriptEnabled: false }, (_, watch) => assert.rejects(watch.assertClean(), /CSP violation: /)));

test('an image from another host is caught even if the policy blocks it', () =>
  visit('/image-of-another-host', {}, async (_, watch) => {
    await assert.rejects(watch.assertClean(), /CSP violation: /);
    await assert.rejects(watch.assertClean(), /another host: http:\/\/other\.example\/image\.png/);
  }));

test('an announced status is not a fault, unless it never arrives', async () => {
  const visitor = await browser.context();
  const page = await visitor.page();
  visitor.watch.announce(404, '/nowhere');
  await assert.rejects(visitor.watch.assertClean(), /announced, but never received: 404 \/nowhere/);
  await page.goto(`${site.url}/nowhere`);
  await visitor.watch.assertClean();
  await page.goto(`${site.url}/nowhere`);
  await assert.rejects(visitor.watch.assertClean(), /status: 404 for GET \/nowhere/);
  await visitor.close();
});

test('only the loopback can be reached', () =>
  visit('/clean', {}, async page => {
    for (const address of ['http://other.example/', 'http://192.0.2.1/', 'http://127.0.0.2/']) {
      await assert.rejects(page.goto(address), /ERR_NAME_NOT_RESOLVED/);
    }
  }));

for (const path of ['/overflow', '/hidden-overflow']) {
  test(`${path} is caught at 360 and not at 768`, () =>
    visit(path, {}, async page => {
      await assert.rejects(noOverflow(page), /at 360: .*\n?.*<p\.wide> ends at 500/);
      await noOverflow(page, [768, 1440]);
    }));
}

test('a field without a label is caught by axe', () =>
  visit('/axe', {}, async page => assert.rejects(axe(page), /light: label .*: input/)));

test('contrast that is too low in dark mode is caught in dark mode only', () =>
  visit('/axe-in-dark', {}, async page => {
    await axe(page, ['light']);
    await assert.rejects(axe(page), /\n  dark: color-contrast .*: p(\n|$)/);
  }));

test('figures that match the API are counted, by value and not by text', () =>
  visit('/clean', {}, async page => assert.equal(await figures(page), 3)));

test('a figure that differs from the API, or that the API does not have, is reported', async () => {
  const fails = (path, message) => visit(path, {}, async page => assert.rejects(figures(page), message));
  await fails('/two-values', /income shows 2 values: 1234.50, 2/);
  await fails('/other-amount', /income is .*1234.50.*, but the page shows 1234.5\n/);
  await fails('/other-rate', /rate is 0.0312, but the page shows 0.0313/);
  await fails('/null-shown', /goal is null/);
  await fails('/nothing-shown', /income shows 0 values/);
  await fails('/of-nowhere', /income has no enclosing data-api/);
});

test('the weight is the number of bytes over the wire', async () => {
  const visitor = await browser.context();
  const page = await visitor.page();
  const first = await weight(page, `${site.url}/clean`);
  assert.equal(first.requests, 2);
  assert.equal(first.bytes, first.document + first.stylesheet);
  // The stylesheet has over 20,000 bytes and compresses to a few hundred, plus headers.
  assert.ok(first.stylesheet > 200 && first.stylesheet < 2_000, `${first.stylesheet} bytes`);
  assert.deepEqual(await weight(page, `${site.url}/clean`), first);
  await visitor.close();
});
