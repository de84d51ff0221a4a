// Checks of one open page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const WIDTHS = [360, 768, 1440];

export async function noOverflow(page, widths = WIDTHS) {
  const before = page.viewportSize();
  const lines = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: before.height });
    for (const text of await page.evaluate(overflowing)) lines.push(`at ${width}: ${text}`);
  }
  await page.setViewportSize(before);
  assert.equal(lines.length, 0, `overflow on ${page.url()}:\n  ${lines.join('\n  ')}`);
}

// Nothing is cut off on an A4 page with margins of one centimetre; what scrolls on the screen is expanded in print.
export async function noOverflowInPrint(page) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 718, height: 1047 });
  await page.emulateMedia({ media: 'print' });
  const lines = await page.evaluate(overflowing, { isPrint: true });
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize(before);
  assert.equal(lines.length, 0, `overflow of ${page.url()} in print:\n  ${lines.join('\n  ')}`);
}

// Runs in the page.  Elements inside a scrollable container (a wide table) do not count, but the container itself does.
function overflowing({ isPrint = false } = {}) {
  const root = document.documentElement;
  const scrolls = element => (element.matches('.scroll') && !isPrint) || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
  const isInScroller = element => {
    for (let up = element.parentElement; up && up !== document.body && up !== root; up = up.parentElement) if (scrolls(up)) return true;
    return false;
  };
  const isOverflowing = element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.right > root.clientWidth + 0.5;
  };
  const isVisible = element => !element.ownerSVGElement && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = element => element.localName + (element.id && `#${element.id}`) + [...element.classList].map(one => `.${one}`).join('');
  const found = [...document.body.querySelectorAll('*')].filter(element => isOverflowing(element) && isVisible(element) && !isInScroller(element));
  const lines = found.slice(0, 5).map(element => `<${name(element)}> ends at ${Math.round(element.getBoundingClientRect().right)}`);
  if (root.scrollWidth > root.clientWidth) lines.unshift(`the page is ${root.scrollWidth} wide`);
  return lines;
}

export async function axe(page, schemes = ['light', 'dark']) {
  // Without JavaScript axe's timers never fire.
  const runs = await page.evaluate(() => matchMedia('(scripting: enabled)').matches);
  assert.ok(runs, 'axe needs a context with JavaScript on');
  const before = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  const lines = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const text of await violations(page)) lines.push(`${colorScheme}: ${text}`);
  }
  await page.emulateMedia({ colorScheme: before });
  assert.equal(lines.length, 0, `accessibility of ${page.url()}:\n  ${lines.join('\n  ')}`);
}

const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function violations(page) {
  await page.evaluate(`${await AXE}; 0`);
  const found = await page.evaluate(async tags => (await window.axe.run(document, { runOnly: tags })).violations, TAGS);
  return found.map(one => `${one.id} (${one.help}): ${one.nodes.map(node => node.target.join(' ')).slice(0, 5).join(', ')}`);
}

// Checks that every element with data-figure="path" shows the API's value at that path, for the request that the closest data-api
// names.  Amounts, numbers and dates are compared as text, rates as doubles.  Returns the number of figures.
export async function figures(page, token) {
  const shown = await page.$$eval('[data-figure]', elements =>
    elements.map(element => {
      const marks = element.matches('data, time') ? [element] : [...element.querySelectorAll('data, time')];
      const values = marks.map(mark => mark.getAttribute(mark.localName === 'data' ? 'value' : 'datetime'));
      return { api: element.closest('[data-api]')?.dataset.api, path: element.dataset.figure, values };
    }),
  );
  const answers = new Map();
  const lines = [];
  for (const { api, path, values } of shown) {
    if (!api) {
      lines.push(`${path} has no enclosing data-api`);
      continue;
    }
    if (!answers.has(api)) answers.set(api, await ask(new URL(api, page.url()), token));
    const expected = at(answers.get(api), path);
    if (values.length !== 1) lines.push(`${api} ${path} shows ${values.length} values: ${values.join(', ')}`);
    else if (!same(expected, values[0])) lines.push(`${api} ${path} is ${JSON.stringify(expected)}, but the page shows ${values[0]}`);
  }
  assert.equal(lines.length, 0, `figures of ${page.url()}:\n  ${lines.join('\n  ')}`);
  return shown.length;
}

async function ask(address, token) {
  const answer = await fetch(address, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  assert.equal(answer.status, 200, `${address} returned ${answer.status}`);
  return answer.json();
}

const at = (answer, path) => path.split('.').reduce((value, key) => value?.[key], answer);
const same = (expected, shown) => {
  if (expected === undefined || expected === null) return false;
  if (typeof expected === 'object') return expected.amount === shown;
  return typeof expected === 'number' ? Number(shown) === expected : String(expected) === shown;
};

// Loads an address with an empty cache, and returns the bytes over the wire (compressed, with headers) and the number of requests.
export async function weight(page, address) {
  const session = await page.context().newCDPSession(page);
  const types = new Map();
  const result = { bytes: 0, requests: 0, document: 0, stylesheet: 0, script: 0 };
  session.on('Network.requestWillBeSent', event => {
    types.set(event.requestId, event.type.toLowerCase());
    result.requests += 1;
  });
  session.on('Network.loadingFinished', event => {
    const type = types.get(event.requestId);
    if (!(type in result)) return;
    result[type] += event.encodedDataLength;
    result.bytes += event.encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address, { waitUntil: 'load' });
  await session.detach();
  return result;
}
