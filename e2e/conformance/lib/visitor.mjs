// A user with a minimal browser: follows redirects, keeps the cookies of the first site, submits forms.
export class Visitor {
  #cookies = new Map();
  #url;
  #page;

  async go(address, options = {}) {
    const url = new URL(address, this.#url);
    this.#url ??= url;
    const own = url.origin === this.#url.origin;
    const cookie = own ? [...this.#cookies].map(pair => pair.join('=')).join('; ') : '';
    const answer = await fetch(url, { ...options, redirect: 'manual', headers: { ...options.headers, cookie } });
    if (own) for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    if (answer.headers.has('location')) return this.go(new URL(answer.headers.get('location'), url));
    this.#page = await answer.text();
    if (!answer.ok) throw new Error(`${url.pathname} answered ${answer.status}: ${this.#page.slice(0, 500)}`);
  }

  // Submits the form that has all these fields, together with its hidden ones.
  async submit(fields) {
    const names = Object.keys(fields);
    const hasFields = form => names.every(name => form.includes(`name="${name}"`));
    const form = this.#page.match(/<form[\s\S]*?<\/form>/g)?.find(hasFields);
    if (!form) throw new Error(`no form has the fields ${names}: ${this.#page.slice(0, 2000)}`);
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams([...hidden.map(([, name, value]) => [name, unescape(value)]), ...Object.entries(fields)]);
    await this.go(form.match(/action="([^"]+)"/)[1], { method: 'POST', body, headers: { origin: this.#url.origin } });
  }

  #keep(cookie) {
    const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);
    this.#cookies.set(name, value);
  }
}

const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&' };

const unescape = html => html.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => (code ? String.fromCodePoint(code) : ENTITIES[name]));
