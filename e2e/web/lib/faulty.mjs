// A site for testing the harness: pages with exactly one fault each, and one without any.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const POLICY = "default-src 'none'; script-src 'nonce-once'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'";

export async function faulty() {
  const server = createServer((request, response) => answer(request, response));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise(resolve => (server.close(resolve), server.closeAllConnections()));
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

function answer(request, response) {
  const path = new URL(request.url, 'http://127.0.0.1').pathname;
  if (path === '/hangs-up') return request.socket.destroy();
  if (path === '/abroad') return response.writeHead(302, { location: 'http://other.example/' }).end();
  if (path === '/api') return send(response, 200, 'application/json', JSON.stringify(ANSWER));
  if (path === '/app.css') return send(response, 200, 'text/css', STYLE);
  const body = PAGES[path.slice(1)];
  return send(response, body === undefined ? 404 : 200, 'text/html; charset=utf-8', document(body ?? '<p>There is no such page.</p>'));
}

function send(response, status, type, text) {
  const headers = { 'content-type': type, 'content-encoding': 'gzip', 'content-security-policy': POLICY };
  response.writeHead(status, headers).end(gzipSync(text));
}

const document = body => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title><link rel="stylesheet" href="/app.css"></head>
<body><main><h1>A page</h1>${body}</main></body>
</html>`;

// The comment is long and compresses well, so that the compressed size and the file size are clearly different.
const STYLE = `
/* ${'-'.repeat(20_000)} */
:root { color-scheme: light dark; }
body { margin: 0; color: #222; background: #fff; }
.wide { width: 500px; }
.hidden { overflow: hidden; }
.scroll { overflow-x: auto; }
.pale-in-dark { color: #222; background: #fff; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #111; }
  .pale-in-dark { color: #333; background: #111; }
}`;

const ANSWER = { income: { amount: '1234.50', currency: 'EUR' }, rate: 0.0312, days: [{ pay_date: '2026-11-15' }], goal: null };

const script = text => `<script nonce="once">${text}</script>`;

const PAGES = {
  clean: `<div class="scroll" tabindex="0"><p class="wide">Wide, in what scrolls.</p></div>
    <div data-api="/api"><p data-figure="income">Income <data value="1234.50">1,234.50</data></p>
    <data data-figure="rate" value="0.03120">3.1 %</data> <time data-figure="days.0.pay_date" datetime="2026-11-15">15 Nov</time></div>`,
  'console-error': script('console.error("out of order")'),
  'page-error': script('throw new Error("out of order")'),
  'inline-style': '<p style="color: red">Red.</p>',
  'inline-script': '<script>document.title = "never"</script>',
  'another-host': script('location = "/abroad"'),
  'image-of-another-host': '<img src="http://other.example/image.png" alt="An image">',
  'missing-asset': '<img src="/missing.png" alt="An image">',
  'failed-request': '<img src="/hangs-up" alt="An image">',
  overflow: '<p class="wide">Wide.</p>',
  'hidden-overflow': '<div class="hidden"><p class="wide">Wide, and cut off.</p></div>',
  axe: '<form><input type="text"></form>',
  'axe-in-dark': '<p class="pale-in-dark">Hard to read.</p>',
  'two-values': '<p data-api="/api" data-figure="income"><data value="1234.50">1</data> <data value="2">2</data></p>',
  'other-amount': '<p data-api="/api" data-figure="income"><data value="1234.5">1</data></p>',
  'other-rate': '<p data-api="/api" data-figure="rate"><data value="0.0313">3.1 %</data></p>',
  'null-shown': '<p data-api="/api" data-figure="goal"><data value="0">0</data></p>',
  'nothing-shown': '<p data-api="/api" data-figure="income">soon</p>',
  'of-nowhere': '<p data-figure="income"><data value="1234.50">1</data></p>',
};
