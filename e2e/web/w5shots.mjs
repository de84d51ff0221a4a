import { launch } from './lib/browser.mjs';
import { serve } from './lib/service.mjs';
import { signIn } from './lib/visitor.mjs';
const pw = 'a lantern over quiet water';
const add = async (d, email, file) => { await d(['user','add',email,'--residence','ES','--password-stdin'],{input: pw+'\n'}); if (file) await d(['import',file,'--user',email,'--yes']); };
const service = await serve({ prepare: async d => {
  await d(['market','load','/tmp/w5demo']);
  await add(d,'few@example.com','/tmp/w5demo/few.csv');
  await add(d,'none@example.com','/tmp/w5demo/none.csv');
  await add(d,'rec@example.com','/tmp/w5demo/few.csv');
  await d(['portfolio','automatic','Core','record','--user','rec@example.com']);
  await add(d,'empty@example.com');
}});
const browser = await launch();
const out = process.argv[2];
const only = process.argv[3];
const shots = [
 ['few','/'],['few','/dividends/missing'],['few','/dividends#expected'],['few','/portfolios'],
 ['none','/dividends/missing'],['rec','/ledger'],['rec','/ledger?estimated=true'],['rec','/dividends/missing'],['rec','/dividends'],['empty','/dividends/missing'],['none','/'],
];
try {
  for (const [width, scheme] of [[1440,'light'],[390,'light'],[390,'dark'],[1440,'dark']]) {
    const who = {};
    for (const [user, path] of shots) {
      if (only && !path.includes(only)) continue;
      if (!who[user]) { const v = await browser.context({ width, height: 900, colorScheme: scheme }); const p = await v.page(); await signIn(p, { url: service.url, email: `${user}@example.com`, password: pw }); who[user] = [v,p]; }
      const [v, page] = who[user];
      const t0 = Date.now(); await page.goto(service.url + path); 
      const t1 = Date.now(); await page.goto(service.url + path); const t2 = Date.now();
      if (path === '/portfolios') for (const s of await page.locator('summary:has-text("Missing")').all()) await s.click();
      for (const s of await page.locator('#ignored > summary').all()) await s.click();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const name = `${user}${path.replace(/[^a-z]/g,'_')}_${width}_${scheme}.png`;
      await page.screenshot({ path: `${out}/${name}`, fullPage: path !== '/' && user !== 'none', animations: 'disabled' });
      console.log(name, 'overflow', over, 'ms', t1-t0, t2-t1);
      if (user==='few' && path === '/dividends/missing' && width===1440 && scheme==='light') {
        await page.fill('#gross-1','12,5,1'); await page.fill('#net-2','999'); await page.check('input[name="pick.1"]'); await page.check('input[name="pick.2"]');
        await page.click('button.primary'); await page.screenshot({ path: `${out}/error1_1440.png`, fullPage: true });
        await page.goto(service.url+path); await page.check('input[name="pick.2"]'); await page.fill('#net-2','999'); await page.click('button.primary'); await page.screenshot({ path: `${out}/error2_1440.png`, fullPage: true });
        await page.goto(service.url+path); await page.check('input[name="pick.1"]'); await page.check('input[name="pick.2"]'); await page.click('button[formaction$="/ignore"]'); await page.screenshot({ path: `${out}/ignored_1440.png`, fullPage: true });
        await page.check('input[name="pick.1"]'); await page.fill('#gross-1','100'); await page.click('button.primary'); await page.screenshot({ path: `${out}/recorded_1440.png` });
      }
      if (user==='rec' && path === '/ledger?estimated=true' && width===1440 && scheme==='light') {
        await page.click('table .button:has-text("Confirm")'); await page.screenshot({ path: `${out}/confirmed_1440.png` });
        await page.click('table a.button'); await page.click('a.danger'); await page.screenshot({ path: `${out}/delete_1440.png` });
      }
    }
    for (const [v] of Object.values(who)) await v.close();
  }
} finally { await browser.close(); await service.stop(); }
