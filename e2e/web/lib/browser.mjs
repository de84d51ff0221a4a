// Debian's Chromium, one per test file, with pages that are watched for everything that should never happen.
import { chromium } from 'playwright-core';
import { Watch } from './watch.mjs';

const ACTION_MS_MAX = 15_000;

export async function launch() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS });
  return { context: options => context(browser, options), close: () => browser.close() };
}

// Only the loopback resolves and no proxy is used, so that no request can leave the machine, not even an unobserved one.
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

// A separate visitor with their own cookies, cache and pages.  `watch` observes all pages of the context.
async function context(browser, { width = 1280, height = 800, javaScriptEnabled = true, colorScheme = 'light', locale = 'en-US', ...more } = {}) {
  const created = await browser.newContext({
    viewport: { width, height },
    javaScriptEnabled,
    colorScheme,
    locale,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...more,
  });
  created.setDefaultTimeout(ACTION_MS_MAX);
  const watch = await Watch.over(created);
  return { context: created, watch, page: () => created.newPage(), close: () => created.close() };
}
