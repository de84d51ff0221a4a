// Authlib (authlib_app.py), as a confidential app that the operator registered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { python } from './lib/python.mjs';
import { world } from './lib/world.mjs';

const here = world();
// Desktop apps learn their port only when they start (RFC 8252).
const REGISTERED = 'http://127.0.0.1/callback';

for (const method of ['client_secret_basic', 'client_secret_post']) {
  let seen;

  test(`${method}: a code with PKCE gives access to the API`, async () => {
    const name = `Server app by ${method}`;
    const printed = await here.service.dripline(['client', 'add', '--name', name, '--confidential', '--redirect-uri', REGISTERED]);
    const [id, secret] = printed.split('\n');
    seen = await python(here, 'authlib_app.py', { url: here.url, callback: here.callback.uri, id, secret, method }, name);
    assert.deepEqual(seen.called, { status: 200, body: await here.apiBody('/api/v1/me') });
  });

  test(`${method}: refresh`, () => {
    assert.equal(seen.rotated, true);
    assert.deepEqual(seen.refreshed, seen.called);
  });

  test(`${method}: revocation`, () => assert.deepEqual([seen.revoked, seen.after], [200, 401]));
}
