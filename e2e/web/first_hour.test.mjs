// The first hour: from an empty folder and a broker's file to a correct income, with the replayed providers and without any.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { serve } from './lib/service.mjs';

const CLICKS_MAX = 10;
const DATA_MS_MAX = 60_000;

// Quarterly payers. One euro is 1.25 dollars and 0.80 pounds.
const STOCKS = `symbol,name,currency,exchange,type,isin,country,price,dividend
KO,Coca-Cola,USD,NYQ,EQUITY,US1912161007,United States,70,0.50
PEP,PepsiCo,USD,NMS,EQUITY,US7134481081,United States,150,1.00
VWRL.AS,Vanguard FTSE All-World,EUR,AMS,ETF,IE00B3RBWM25,Ireland,140,0.40
SAP.DE,SAP,EUR,GER,EQUITY,DE0007164600,Germany,220,0.50
DGE.L,Diageo,GBp,LSE,EQUITY,GB0002374006,United Kingdom,2400,10`;
const RATES = 'date,currency,rate\n2026-11-13,USD,1.25\n2026-11-13,GBP,0.80\n';

// Each file has 10 KO with two dividends, a second security with 8 sold before 4 are bought, and one row that cannot be read.
// From Spain, 15% is withheld on dividends from the US and Germany, and nothing on Irish funds and British shares.
// KO pays 4 × 0.50 = 2.00 USD per share: 10 shares give 20 USD = 16.00 EUR gross and, less 15%, 13.60 net.
const FILES = {
  // VWRL pays 4 × 0.40 EUR per share: 4 shares give 6.40 gross and net.
  degiro: {
    net: '20.00', gross: '22.40', opening: 'VWRL.AS', unread: 'Mystery booking',
    text: `Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id
15-10-2026,06:50,14-10-2026,COCA-COLA COMPANY,US1912161007,Mystery booking,,USD,1.00,USD,1.00,
09-09-2026,06:50,08-09-2026,COCA-COLA COMPANY,US1912161007,Dividend Tax,,USD,-0.75,USD,4.25,
09-09-2026,06:50,08-09-2026,COCA-COLA COMPANY,US1912161007,Dividend,,USD,5.00,USD,5.00,
09-06-2026,06:50,08-06-2026,COCA-COLA COMPANY,US1912161007,Dividend Tax,,USD,-0.75,USD,4.25,
09-06-2026,06:50,08-06-2026,COCA-COLA COMPANY,US1912161007,Dividend,,USD,5.00,USD,5.00,
05-03-2026,09:00,05-03-2026,VANGUARD FTSE AW,IE00B3RBWM25,Buy 4 VANGUARD FTSE AW@130 EUR (IE00B3RBWM25),,EUR,-520.00,EUR,0.00,97c1f17b-8a74-4126-af39-61049bcb6e33
04-03-2026,09:00,04-03-2026,VANGUARD FTSE AW,IE00B3RBWM25,Sell 8 VANGUARD FTSE AW@131 EUR (IE00B3RBWM25),,EUR,1048.00,EUR,1048.00,86c1f17b-8a74-4126-af39-61049bcb6e33
03-03-2026,15:30,03-03-2026,COCA-COLA COMPANY,US1912161007,Buy 10 COCA-COLA COMPANY@60 USD (US1912161007),,USD,-600.00,USD,0.00,a7f91cfa-6058-4d77-a6b9-ebb0c61487b8
`,
  },
  // Diageo pays 4 × 10 pence per share: 4 shares give 1.60 GBP = 2.00 EUR gross and net.
  trading212: {
    net: '15.60', gross: '18.00', opening: 'DGE.L', unread: 'Merger',
    text: `Action,Time,ISIN,Ticker,Name,Notes,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total),Withholding tax,Currency (Withholding tax)
Market buy,2026-03-03 15:30:00,US1912161007,KO,Coca-Cola,,E-1,10,60.00,USD,1.25,,,480.00,EUR,,
Market sell,2026-03-04 09:00:00,GB0002374006,DGE,Diageo,,E-2,8,2400,GBX,80.00,,,240.00,EUR,,
Market buy,2026-03-05 09:00:00,GB0002374006,DGE,Diageo,,E-3,4,2300,GBX,80.00,,,115.00,EUR,,
Dividend (Dividend),2026-06-09 12:18:17,US1912161007,KO,Coca-Cola,,,10,0.425,USD,0.80,,,3.40,EUR,0.75,USD
Dividend (Dividend),2026-09-09 12:18:17,US1912161007,KO,Coca-Cola,,,10,0.425,USD,0.80,,,3.40,EUR,0.75,USD
Merger,2026-10-15 07:00:00,US1912161007,KO,Coca-Cola,,E-4,1,70.00,USD,1.25,,,56.00,EUR,,
`,
  },
  // SAP pays 4 × 0.50 EUR per share: 4 shares give 8.00 gross and, less 15%, 6.80 net.
  ibkr: {
    net: '20.40', gross: '24.00', opening: 'SAP.DE', unread: '2026-15-10',
    text: `Statement,Header,Field Name,Field Value
Statement,Data,BrokerName,Interactive Brokers
Statement,Data,Title,Activity Statement
Account Information,Header,Field Name,Field Value
Account Information,Data,Account,U1000001
Account Information,Data,Base Currency,EUR
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code
Trades,Data,Order,Stocks,USD,KO,"2026-03-03, 09:30:00",10,60,60,-600,-1,601,0,0,O
Trades,Data,Order,Stocks,EUR,SAPd,"2026-03-04, 10:00:00",-8,200,200,1600,-1,-1599,0,0,C
Trades,Data,Order,Stocks,EUR,SAPd,"2026-03-05, 10:00:00",4,201,201,-804,-1,805,0,0,O
Trades,Data,Order,Stocks,USD,KO,"2026-15-10, 10:00:00",1,70,70,-70,-1,71,0,0,O
Dividends,Header,Currency,Date,Description,Amount
Dividends,Data,USD,2026-06-09,KO(US1912161007) Cash Dividend USD 0.50 per Share (Ordinary Dividend),5
Dividends,Data,USD,2026-09-09,KO(US1912161007) Cash Dividend USD 0.50 per Share (Ordinary Dividend),5
Withholding Tax,Header,Currency,Date,Description,Amount,Code
Withholding Tax,Data,USD,2026-06-09,KO(US1912161007) Cash Dividend USD 0.50 per Share - US Tax,-0.75,
Withholding Tax,Data,USD,2026-09-09,KO(US1912161007) Cash Dividend USD 0.50 per Share - US Tax,-0.75,
Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,Underlying,Listing Exch,Multiplier,Type,Code
Financial Instrument Information,Data,Stocks,KO,COCA-COLA CO/THE,8894,US1912161007,KO,NYSE,1,COMMON,
Financial Instrument Information,Data,Stocks,"SAP, SAPd",SAP SE,14204,DE0007164600,SAP,IBIS,1,COMMON,
`,
  },
  // 30% was withheld on KO, which is what counts for KO: 14 USD = 11.20 EUR net.
  // PEP pays 4 × 1.00 USD per share: 4 shares give 16 USD = 12.80 EUR gross and, less 15%, 10.88 net.
  schwab: {
    net: '22.08', gross: '28.80', opening: 'PEP', unread: 'Teleported',
    text: `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"10/15/2026","Teleported","KO","COCA COLA CO","1","","",""
"09/09/2026","NRA Tax Adj","KO","COCA COLA CO","","","","-$1.50"
"09/09/2026","Qualified Dividend","KO","COCA COLA CO","","","","$5.00"
"06/09/2026","NRA Tax Adj","KO","COCA COLA CO","","","","-$1.50"
"06/09/2026","Qualified Dividend","KO","COCA COLA CO","","","","$5.00"
"03/05/2026","Buy","PEP","PEPSICO INC","4","$150.00","","-$600.00"
"03/04/2026","Sell","PEP","PEPSICO INC","8","$151.00","","$1208.00"
"03/03/2026","Buy","KO","COCA COLA CO","10","$60.00","","-$600.00"
`,
  },
  traderepublic: {
    net: '20.00', gross: '22.40', opening: 'VWRL.AS', unread: 'PUZZLE',
    text: `"datetime","date","account_type","category","type","asset_class","name","symbol","shares","price","amount","fee","tax","currency","original_amount","original_currency","fx_rate","description","transaction_id"
"2026-03-03T15:30:00Z","2026-03-03","DEFAULT","TRADING","BUY","STOCK","Coca-Cola","US1912161007","10","48.00","-480.00","-1.00","","EUR","","","","","00000000-0000-4000-8000-000000000001"
"2026-03-04T09:00:00Z","2026-03-04","DEFAULT","TRADING","SELL","FUND","FTSE All-World USD (Dist)","IE00B3RBWM25","8","131.00","1048.00","-1.00","","EUR","","","","","00000000-0000-4000-8000-000000000002"
"2026-03-05T09:00:00Z","2026-03-05","DEFAULT","TRADING","BUY","FUND","FTSE All-World USD (Dist)","IE00B3RBWM25","4","130.00","-520.00","-1.00","","EUR","","","","","00000000-0000-4000-8000-000000000003"
"2026-06-09T10:00:00Z","2026-06-09","DEFAULT","CASH","DIVIDEND","STOCK","Coca-Cola","US1912161007","10","","4.00","","-0.60","EUR","5.00","USD","0.80","","00000000-0000-4000-8000-000000000004"
"2026-09-09T10:00:00Z","2026-09-09","DEFAULT","CASH","DIVIDEND","STOCK","Coca-Cola","US1912161007","10","","4.00","","-0.60","EUR","5.00","USD","0.80","","00000000-0000-4000-8000-000000000005"
"2026-10-15T10:00:00Z","2026-10-15","DEFAULT","CORPORATE_ACTION","PUZZLE","STOCK","Coca-Cola","US1912161007","1","","","","","EUR","","","","","00000000-0000-4000-8000-000000000006"
`,
  },
};

let browser, market;
before(async () => ([browser, market] = [await launch(), await replay()]));
after(async () => (await browser?.close(), await market?.stop()));

// The `replay` binary, which is built beside `dripline`, over the stocks and rates above.
async function replay() {
  const folder = await mkdtemp(join(tmpdir(), 'dripline-market-'));
  const days = [2024, 2025, 2026].flatMap(year => ['02', '05', '08', '11'].map(month => `${year}-${month}-10`));
  const paid = STOCKS.split('\n').slice(1).map(line => line.split(',')).flatMap(fields => days.map(day => [fields[0], day, fields.at(-1)].join()));
  await writeFile(join(folder, 'stocks.csv'), STOCKS);
  await writeFile(join(folder, 'dividends.csv'), ['symbol,ex_date,amount', ...paid].join('\n'));
  await writeFile(join(folder, 'fx.csv'), RATES);
  const child = spawn(join(dirname(process.env.DRIPLINE_BINARY), 'replay'), [folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = String(await new Promise((resolve, reject) => child.once('error', reject).stdout.once('data', resolve))).trim();
  const stop = () => (child.stdin.end(), rm(folder, { recursive: true }));
  return { env: { DRIPLINE_YAHOO_URL: `${url}/yahoo`, DRIPLINE_ECB_URL: `${url}/ecb` }, stop };
}

// A new service and its first account, in euros and from Spain.  `click` counts.
async function firstHour(source, use) {
  const service = await serve({ env: source === 'recommended' ? market.env : {} });
  const visitor = await browser.context();
  try {
    const page = await visitor.page();
    let clicks = 0;
    const click = async (selector, address) => {
      clicks += 1;
      await page.locator(selector).first().click();
      if (address) await page.waitForURL(address);
      assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`);
    };
    await page.goto(service.url);
    await page.fill('#email', 'ana@example.com');
    await page.fill('#password', 'quiet rivers carve the patient stone');
    await page.selectOption('#currency', 'EUR');
    await page.selectOption('#residence', 'ES');
    await click(`input[name=source][value=${source}]`);
    await click('main form button[type=submit]', `${service.url}/`);
    await use({ page, click, service, text: selector => page.locator(selector).first().textContent() });
    await visitor.watch.assertClean();
  } finally {
    await visitor.close();
    await service.stop();
  }
}

const REVIEW = /\/import\/[0-9a-f-]{36}$/;
const DONE = /\/import\/done\/[0-9a-f-]{36}$/;

// From any page to the page of the finished import, with the recommended answers.
async function importFile({ page, click }, name) {
  await click('header a[href="/import"]:visible', /\/import$/);
  const chooser = page.waitForEvent('filechooser');
  await click('main input[type=file]');
  await (await chooser).setFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(FILES[name].text) });
  await click('main form[action="/import"] button', REVIEW);
  await takeRecommended(click);
}

async function takeRecommended(click) {
  await click('form:has(input[value=recommended]) button');
  await click('form[action$="/apply"] button', DONE);
}

// Data of new symbols arrives in the background.
async function waitForIncome(page, net) {
  for (const end = Date.now() + DATA_MS_MAX; Date.now() < end; await page.waitForTimeout(500)) {
    if ((await page.evaluate(async () => (await fetch('/')).text())).includes(`value="${net}"`)) return;
  }
  assert.fail(`the income is not ${net} after ${DATA_MS_MAX / 1000} s`);
}

const figure = (page, name) => page.locator(`main [data-figure=${name}] data`).first().getAttribute('value');
const figures = async page => [await figure(page, 'net_annual_income'), await figure(page, 'annual_income')];

for (const [name, { net, gross, opening, unread }] of Object.entries(FILES)) {
  test(`a file in the format of ${name} leads to the correct income in at most ${CLICKS_MAX} clicks`, () =>
    firstHour('recommended', async visit => {
      const { page, click, service, text } = visit;
      await importFile(visit, name);
      assert.match(await text('[role=status]'), /^\s*6 transactions imported\. You skipped 1 row\.\s*$/);
      assert.match(await text('main .figures'), /2 purchases, 1 sale, 2 dividends, 1 opening position/);
      assert.equal((await page.locator('#unknown-costs a').allTextContents()).join(), opening);
      assert.equal(await page.locator('#left-out tbody tr').count(), 1);
      assert.ok((await text('#left-out tbody tr')).includes(unread));
      await waitForIncome(page, net);
      await click('main a[href="/"]', `${service.url}/`);
      assert.deepEqual(await figures(page), [net, gross]);
      assert.equal(await page.locator('#without-data, #unmatched').count(), 0, 'nothing is missing');
    }));
}

test('without providers, built-in data and recorded dividends give an income, and every page says what is missing', () =>
  firstHour('none', async visit => {
    const { page, click, service, text } = visit;
    await importFile(visit, 'degiro');
    const left = new URL(page.url()).pathname;
    await click('main a[href="/"]', `${service.url}/`);
    // The last built-in rate is that of September 14, 2026: 1.1551 dollars. 20 ÷ 1.1551 = 17.31; less 15% it is 14.72.
    assert.deepEqual(await figures(page), ['14.72', '17.31']);
    assert.match(await text('#outdated-rates'), /Sep 14, 2026/);
    assert.match(await text('tr:has(a[href="/stocks/KO"])'), /from your history/);
    for (const path of ['/', '/holdings', '/upcoming', left]) {
      await page.goto(service.url + path);
      assert.match(await text('#without-data'), /^1 position isn’t included.*: VWRL\.AS\. Market data isn’t set up/, path);
      assert.equal(await page.locator('#without-data a[href="/settings/market-data"]').count(), 1, path);
    }
    await page.goto(`${service.url}/upcoming`);
    assert.match(await text('.timeline li:has(a[href="/stocks/KO"])'), /Estimated\s+from your history/);
    await page.goto(`${service.url}/holdings`);
    assert.match(await text('#outdated-rates'), /Sep 14, 2026/);
    assert.match(await text('tbody tr:has(a[href="/stocks/KO"])'), /Coca-Cola Company.*from your history.*\$60\.00/s);
    assert.match(await text('tbody tr:has(a[href="/stocks/VWRL.AS"])'), /Vanguard FTSE All-World UCITS ETF.*€130\.00/s);
    await click('#without-data a', /\/settings\/market-data$/);
    assert.match(await text('#providers'), /No provider is set/);
    assert.match(await text('#missing'), /No price\s*2 of 2\s*No dividends\s*1 of 2.*Exchange rates of Sep 14, 2026/s);
  }));

test('what is held can be typed or pasted, and a row left out can be reviewed again', () =>
  firstHour('recommended', async ({ page, click, service, text }) => {
    await page.goto(`${service.url}/import`);
    await page.click('#positions summary');
    for (const [field, value] of Object.entries({ symbol: 'KO', shares: '10', cost: '60.50' })) await page.fill(`[name="${field}.0"]`, value);
    await page.selectOption('[name="currency.0"]', 'USD');
    await click('#positions form button.primary', REVIEW);
    await click('form[action$="/apply"] button', DONE);
    assert.match(await text('[role=status]'), /^\s*1 transaction imported\.\s*$/);
    await page.goto(`${service.url}/import`);
    await page.click('#positions summary');
    await page.fill('#positions-list', 'ISIN;Shares;Cost;Currency\nIE00B3RBWM25;4;130;EUR\nUS7134481081;several;150;USD\n');
    await click('#positions form button.primary', REVIEW);
    await takeRecommended(click);
    assert.match(await text('[role=status]'), /^\s*1 transaction imported\. You skipped 1 row\.\s*$/);
    const done = page.url();
    await waitForIncome(page, '20.00');
    await page.goto(service.url);
    assert.deepEqual(await figures(page), ['20.00', '22.40'], 'KO and VWRL.AS, as in the first file');
    await page.goto(`${service.url}/import`);
    await page.click('main th a[href^="/import/done/"]');
    await page.waitForURL(done);
    assert.match(await text('#left-out tbody tr'), /“several” isn’t a number/);
    await page.click('#left-out form button');
    await page.waitForURL(REVIEW);
    assert.match(await text('#rows tr:has-text("several")'), /“several” isn’t a number/);
  }));
