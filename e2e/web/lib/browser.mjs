// Debian's Chromium, one for a test file, and pages in it that are watched for everything a visitor should never meet.
import { chromium } from 'playwright-core';
import { Watch } from './watch.mjs';

const ACTION_MS_MAX = 15_000;

export async function launch() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS });
  return { context: options => context(browser, options), close: () => browser.close() };
}

// No name but the loopback's resolves and no proxy is asked, so that even a request nobody sees leads nowhere.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

// A visitor of their own: cookies, cache and pages.  `watch` sees all pages of the context.
async function context(browser, { width = 1280, height = 800, javaScriptEnabled = true, colorScheme = 'light', locale = 'en-US', ...more } = {}) {
  const opened = await browser.newContext({
    viewport: { width, height },
    javaScriptEnabled,
    colorScheme,
    locale,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...more,
  });
  opened.setDefaultTimeout(ACTION_MS_MAX);
  const watch = await Watch.over(opened);
  return { context: opened, watch, page: () => opened.newPage(), close: () => opened.close() };
}
