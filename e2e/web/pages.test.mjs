// Every page: no overflow at any width, accessible in light and dark, no errors, and the same figures as the API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, figures, noOverflow } from './lib/checks.mjs';
import { withDemo } from './lib/with_demo.mjs';

// `figures` is the minimum number of figures on the page that are compared with the API.
const OWN = [
  { path: '/', figures: 40 },
  { path: '/?years=25&drip=true', figures: 60 },
  { path: '/?portfolio=Core', figures: 30 },
  { path: '/upcoming', figures: 20 },
  { path: '/upcoming?days=120', figures: 40 },
  { path: '/dividends', figures: 20 },
  { path: '/dividends/missing' },
  { path: '/holdings', figures: 30 },
  { path: '/holdings?sort=income', figures: 30 },
  { path: '/stocks/KO', figures: 6 },
  { path: '/radar' },
  { path: '/explain?figure=net_annual_income' },
  { path: '/explain?figure=net_income&symbol=KO' },
  { path: '/explain?figure=safety&symbol=KO' },
  { path: '/explain?figure=nothing', status: 404 },
  { path: '/whatif?symbol=KO&shares=50', figures: 18 },
  { path: '/whatif?symbol=PEP&amount=2500', figures: 18 },
  { path: '/whatif?symbol=NOSUCH&shares=1', status: 404 },
  { path: '/ledger' },
  { path: '/ledger?kind=dividend&page=2' },
  { path: '/ledger/new' },
  { path: '/ledger/new?kind=dividend&symbol=KO' },
  { path: '/ledger/1' },
  { path: '/portfolios' },
  { path: '/import' },
  { path: '/settings' },
  { path: '/settings/security' },
  { path: '/settings/access' },
  { path: '/settings/data' },
  { path: '/confirm' },
  { path: '/device' },
  { path: '/device?code=BCDF-GHJK' },
  { path: '/oauth/authorize', status: 400 },
  { path: '/search?q=co' },
  { path: '/search?q=zzzzzz' },
  { path: '/settings/market-data' },
  { path: '/developers' },
  { path: '/nowhere', status: 404 },
];
const PUBLIC = [
  { path: '/sign-in' },
  { path: '/sign-up' },
  { path: '/reset' },
  { path: '/reset/nothing', status: 404 },
  { path: '/calendar', figures: 5 },
  { path: '/search?q=co' },
  { path: '/stocks/KO', figures: 5 },
  { path: '/stocks/NOSUCH', status: 404 },
  { path: '/developers' },
  { path: '/device' },
  { path: '/p/nobody', status: 404 },
];

const world = withDemo();

for (const [whose, pages] of [['a user', OWN], ['an anonymous visitor', PUBLIC]]) {
  for (const { path, figures: least, status } of pages) {
    test(`${path} passes all checks for ${whose}`, async () => {
      const isUser = whose === 'a user';
      const visitor = await world.browser.context(isUser ? { storageState: world.signedIn } : {});
      try {
        const page = await visitor.page();
        if (status) visitor.watch.announce(status, path.split('?')[0]);
        await page.goto(world.service.url + path);
        await noOverflow(page);
        await axe(page);
        const compared = await figures(page, isUser ? world.service.token : undefined);
        assert.ok(compared >= (least ?? 0), `${compared} figures were compared, but there should be at least ${least}`);
        await visitor.watch.assertClean();
      } finally {
        await visitor.close();
      }
    });
  }
}
