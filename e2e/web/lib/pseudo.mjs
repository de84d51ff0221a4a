// An invented language, made from the English messages: accents on every letter and 40% more text. What is plain English on a
// page in it did not come from the message file; what is cut off has too little space.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const LOCALE = 'en-XA';
const WIDTHS = [390, 1440];

// The message file, for DRIPLINE_MESSAGES.
export async function messages(folder) {
  const example = join(dirname(process.env.DRIPLINE_BINARY), 'examples', 'pseudo');
  const { stdout } = await promisify(execFile)(example, { maxBuffer: 16 << 20 });
  const path = join(folder, `${LOCALE}.ftl`);
  await writeFile(path, stdout);
  return path;
}

// English words of a text. `data` is what users and market data bring: names, tickers, addresses.
export function english(text, data) {
  const own = data.reduce((left, phrase) => left.replaceAll(phrase, ' '), text.replace(/\S+@\S+|https?:\S+|\/[\w{}/.-]+/g, ' '));
  const words = own.match(/\p{L}[\p{L}\p{N}'’]+/gu) ?? [];
  // The accents leave b, f, m, p, q, v and x as they are.
  return words.filter(word => /^[A-Za-z0-9'’]+$/.test(word) && /[ACDEGHIJKLNORSTUWYZ]/i.test(word));
}

export async function noEnglish(page, data) {
  const lines = [];
  for (const { where, text } of await page.evaluate(collect)) {
    const words = english(text, data);
    if (words.length) lines.push(`${where}: ${text.slice(0, 160)} (${words.join(' ')})`);
  }
  assert.equal(lines.length, 0, `English on ${page.url()}:\n  ${[...new Set(lines)].slice(0, 40).join('\n  ')}`);
}

// Runs in the page. Code, and what is marked as English (the description of the API), is left out.
function collect() {
  const SKIPPED = 'script, style, template, code, pre, kbd, [lang]:not(html)';
  const ATTRIBUTES = ['title', 'aria-label', 'placeholder', 'alt', 'data-label', 'data-confirm', 'data-copied', 'data-count', 'data-unit'];
  const found = [{ where: 'title', text: document.title }];
  const name = element => element.localName + (element.id && `#${element.id}`);
  for (const element of document.querySelectorAll('body, body *')) {
    if (element.closest(SKIPPED)) continue;
    for (const node of element.childNodes) if (node.nodeType === 3 && node.data.trim()) found.push({ where: `<${name(element)}>`, text: node.data.trim() });
    for (const key of ATTRIBUTES) if (element.getAttribute(key)) found.push({ where: `<${name(element)} ${key}>`, text: element.getAttribute(key) });
    if (element.matches('input:is([type=submit], [type=button], [type=reset])')) found.push({ where: `<${name(element)} value>`, text: element.value });
  }
  return found;
}

export async function nothingCutOff(page) {
  const before = page.viewportSize();
  const lines = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: before.height });
    for (const text of await page.evaluate(cutOff)) lines.push(`at ${width}: ${text}`);
  }
  await page.setViewportSize(before);
  assert.equal(lines.length, 0, `cut off on ${page.url()}:\n  ${lines.join('\n  ')}`);
}

// Runs in the page. On a phone the navigation is scrolled with a finger; a mouse has nothing to scroll it with.
function cutOff() {
  const isNarrow = matchMedia('(max-width: 60rem)').matches;
  const all = document.querySelectorAll(`button, .button, summary, .badge, th, label${isNarrow ? '' : ', nav.primary'}`);
  const isCut = element => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && !element.matches('.hidden') && !element.closest('.hidden');
  return [...all].filter(isCut).map(element => `<${element.localName}.${element.className}> ${element.textContent.trim().slice(0, 60)}`);
}
