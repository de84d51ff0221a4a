// Collects what goes wrong on the pages of a context, by kind: "console error", "page error", "CSP violation", "another host",
// "failed request", "status".
import assert from 'node:assert/strict';

export class Watch {
  #context;
  #announced = [];
  faults = [];

  static async over(context) {
    const watch = new Watch();
    watch.#context = context;
    await context.exposeBinding(BINDING, ({ page }, text) => watch.#found('CSP violation', text, page));
    await context.addInitScript(reportViolations, BINDING);
    context.on('console', message => watch.#console(message));
    context.on('weberror', error => watch.#found('page error', error.error().message, error.page()));
    context.on('request', request => watch.#request(request));
    context.on('requestfailed', request => watch.#failed(request));
    context.on('response', response => watch.#response(response));
    context.on('page', page => page.on('websocket', socket => watch.#address(socket.url(), page)));
    return watch;
  }

  // The test expects one response with this status (>= 400) for this path; it must arrive, exactly once.
  announce(status, path) {
    this.#announced.push({ status, path });
  }

  async assertClean() {
    await this.#flush();
    const missing = this.#announced.map(({ status, path }) => `announced, but never received: ${status} ${path}`);
    const lines = [...this.faults.map(fault => `${fault.kind}: ${fault.text} (on ${fault.page})`), ...missing];
    assert.equal(lines.length, 0, `the pages are not clean:\n  ${lines.join('\n  ')}`);
  }

  // The browser reports events in order, so the result of an evaluation arrives after all earlier events.
  async #flush() {
    for (const page of this.#context.pages()) {
      await page.waitForLoadState('load');
      await page.evaluate('0');
    }
  }

  #found(kind, text, page) {
    this.faults.push({ kind, text, page: page?.url() ?? 'a closed page' });
  }

  #console(message) {
    if (message.type() !== 'error' && !CSP_TEXT.test(message.text())) return;
    if (message.text().startsWith('Failed to load resource')) return; // Reported as a status or as a failed request.
    this.#found(CSP_TEXT.test(message.text()) ? 'CSP violation' : 'console error', message.text(), message.page());
  }

  #request(request) {
    this.#address(request.url(), pageOf(request));
  }

  #address(address, page) {
    const { protocol, hostname } = new URL(address);
    if (['data:', 'blob:', 'about:'].includes(protocol) || LOOPBACK.includes(hostname)) return;
    this.#found('another host', address, page);
  }

  #failed(request) {
    const why = request.failure()?.errorText;
    // Aborted: replaced by another page or a download.  csp: reported separately, as a violation.
    if (why === 'net::ERR_ABORTED' || why === 'csp' || !LOOPBACK.includes(new URL(request.url()).hostname)) return;
    this.#found('failed request', `${request.method()} ${request.url()} ${why}`, pageOf(request));
  }

  #response(response) {
    if (response.status() < 400) return;
    const path = new URL(response.url()).pathname;
    const at = this.#announced.findIndex(one => one.status === response.status() && one.path === path);
    if (at >= 0) this.#announced.splice(at, 1);
    else this.#found('status', `${response.status()} for ${response.request().method()} ${path}`, pageOf(response.request()));
  }
}

const BINDING = '__policyViolation';
const CSP_TEXT = /Content Security Policy|Content-Security-Policy/;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

// Runs in the page.
function reportViolations(binding) {
  document.addEventListener('securitypolicyviolation', event =>
    window[binding](`${event.effectiveDirective} refuses ${event.blockedURI} ${event.sample}`.trim()),
  );
}

// A request for a page that does not exist yet has no frame.
function pageOf(request) {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
