// "Revoke" stops an app, or a personal token, from the next request on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { device } from './lib/device.mjs';
import { atApi, atMcp, world } from './lib/world.mjs';

const here = world();

test('a revoked app cannot use the API, and cannot refresh its tokens', async () => {
  const { app, access_token, refresh_token } = await connectDevice('Spreadsheet', '/api/v1');
  assert.equal(await atApi(here, access_token), 200);
  await here.person.revoke('Spreadsheet');
  assert.equal(await atApi(here, access_token), 401);
  const { status, error } = await app.refresh(refresh_token);
  assert.deepEqual([status, error], [400, 'invalid_grant']);
});

test('revoking one assistant does not affect the others', async () => {
  const [assistant, other] = [await connectDevice('Assistant', '/mcp'), await connectDevice('Other assistant', '/mcp')];
  assert.equal(await atMcp(here, assistant.access_token), 200);
  await here.person.revoke('Assistant');
  assert.equal(await atMcp(here, assistant.access_token), 401);
  assert.equal(await atMcp(here, other.access_token), 200);
});

test('a revoked personal token works neither for the API nor for the connector', async () => {
  const printed = await here.service.dripline(['token', 'create', '--user', here.service.email, '--name', 'Script']);
  const token = printed.match(/drip_pat_\S+/)[0];
  assert.deepEqual([await atApi(here, token), await atMcp(here, token)], [200, 200]);
  await here.person.revoke('Script');
  assert.deepEqual([await atApi(here, token), await atMcp(here, token)], [401, 401]);
  assert.deepEqual([await atApi(here, here.token), await atMcp(here, here.token)], [200, 200]);
});

async function connectDevice(name, resource) {
  const app = await device(here, name, resource);
  const codes = await app.start();
  await here.person.allowDevice(codes.verification_uri, codes.user_code, name);
  return { app, ...(await app.poll(codes.device_code)) };
}
