// Takes the screenshots in docs/user/screens: the demo's pages as a visitor sees them, the same on every run.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launch } from './lib/browser.mjs';
import { demo } from './lib/service.mjs';
import { post, signIn } from './lib/visitor.mjs';

const SCREENS = [
  { name: 'home', path: '/' },
  { name: 'upcoming', path: '/upcoming' },
  { name: 'dividends', path: '/dividends' },
  { name: 'stock', path: '/stocks/KO' },
  { name: 'import', path: '/import', prepare: uploadFile },
  { name: 'tokens', path: '/settings/access' },
];
const FOLDER = fileURLToPath(new URL('../../docs/user/screens/', import.meta.url));

const service = await demo();
const browser = await launch();
try {
  await mkdir(FOLDER, { recursive: true });
  const visitor = await browser.context({ width: 1280, height: 800, colorScheme: 'light' });
  const page = await visitor.page();
  await signIn(page, service);
  for (const { name, path, prepare } of SCREENS) {
    await page.goto(service.url + path);
    await prepare?.(page);
    await visitor.watch.assertClean();
    await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled', caret: 'hide' });
    console.log(`docs/user/screens/${name}.png`);
  }
} finally {
  await browser.close();
  await service.stop();
}

// The review page of an unfinished import.
async function uploadFile(page) {
  const rows = ['2026-03-02,buy,KO,5,61.00,,,USD', '2026-04-01,dividend,KO,,,2.65,0.40,USD', '2026-05-11,buy,PEP,3,150.10,,,USD', '2026-06-30,dividend,PEP,,,4.27,0.64,USD'];
  const buffer = Buffer.from(['date,type,symbol,shares,price,amount,tax,currency', ...rows, ''].join('\n'));
  await page.setInputFiles('main input[type=file]', { name: 'ledger.csv', mimeType: 'text/csv', buffer });
  if (new URL(page.url()).pathname === '/import') await post(page, '/import');
  await page.waitForURL(/\/import\/[0-9a-f-]{36}$/);
}
