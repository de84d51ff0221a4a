// A first visit loads little: one document, one stylesheet, one script and the icon.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weight } from './lib/checks.mjs';
import { withDemo } from './lib/with_demo.mjs';

const BYTES_MAX = 60_000;
const OWN = ['/', '/upcoming', '/dividends', '/holdings', '/stocks/KO', '/ledger', '/import', '/settings/access', '/developers'];

const world = withDemo();

for (const path of OWN) {
  test(`the first paint of ${path} needs less than 60 kB`, async () => {
    const visitor = await world.browser.context({ storageState: world.signedIn });
    try {
      const page = await visitor.page();
      const seen = await weight(page, world.service.url + path);
      assert.ok(seen.document > 0 && seen.stylesheet > 0, JSON.stringify(seen));
      assert.ok(seen.bytes < BYTES_MAX, `${seen.bytes} bytes: ${JSON.stringify(seen)}`);
      const scripts = await page.locator('script').count();
      const styles = await page.locator('link[rel=stylesheet], style').count();
      assert.deepEqual([scripts, styles], [1, 1]);
    } finally {
      await visitor.close();
    }
  });
}
