// Starting the service in tests: its address and credentials are read, commands work on its data, and nothing is left behind.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { demo, serve } from './lib/service.mjs';

test('the demo prints how to sign in, and a command sees its account', async () => {
  const service = await demo();
  try {
    const headers = { authorization: `Bearer ${service.token}` };
    assert.equal((await fetch(`${service.url}/api/v1/income`, { headers })).status, 200);
    assert.ok(service.password.length >= 15);
    assert.ok((await service.dripline(['user', 'list'])).includes(service.email));
  } finally {
    await service.stop();
  }
  assert.equal(existsSync(service.folder), false);
  await assert.rejects(fetch(service.url));
});

test('a service starts with the prepared data, and a failing command says why', async () => {
  const email = 'anna@example.org';
  const service = await serve({ prepare: dripline => dripline(['user', 'add', email]) });
  try {
    assert.equal((await fetch(`${service.url}/api/v1/openapi.json`)).status, 200);
    assert.ok((await service.dripline(['user', 'list'])).includes(email));
    await assert.rejects(service.dripline(['user', 'disable', 'nobody@example.org']), /exited with [1-9].*nobody@example\.org/s);
  } finally {
    await service.stop();
  }
});

test('a service that cannot start says why', () => assert.rejects(serve({ now: 'yesterday' }), /`dripline serve` exited with .*yesterday/s));
