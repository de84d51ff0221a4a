// The device flow (RFC 8628) over plain HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { device } from './lib/device.mjs';
import { atApi, atMcp, world } from './lib/world.mjs';

const here = world();
let television, codes;

test('a device registers and gets a code for the user to enter', async () => {
  television = await device(here, 'Television', '/api/v1');
  codes = await television.start();
  assert.equal(codes.status, 200, codes.error_description);
  assert.equal(codes.verification_uri, `${here.url}/device`);
  assert.match(codes.user_code, /^[A-Z]{4}-[A-Z]{4}$/);
});

test('until the code is entered, the device is told to wait and then to slow down', async () => {
  const [first, second] = [await television.poll(codes.device_code), await television.poll(codes.device_code)];
  assert.deepEqual([first.status, first.error], [400, 'authorization_pending']);
  assert.deepEqual([second.status, second.error], [400, 'slow_down']);
});

test('the user enters the code, sees which app is asking, and allows it', async () => {
  await here.person.allowDevice(codes.verification_uri, codes.user_code, 'Television');
});

test('the device gets tokens for the API and nothing else', async () => {
  // After slow_down the interval is five seconds longer.
  await setTimeout((codes.interval + 5) * 1000 + 100);
  const tokens = await television.poll(codes.device_code);
  assert.equal(tokens.status, 200, tokens.error_description);
  assert.equal(await atApi(here, tokens.access_token), 200);
  assert.equal(await atMcp(here, tokens.access_token), 401);
  const refreshed = await television.refresh(tokens.refresh_token);
  assert.equal(await atApi(here, refreshed.access_token), 200);
});

test('the code works only once', async () => {
  const again = await television.poll(codes.device_code);
  assert.deepEqual([again.status, again.access_token], [400, undefined]);
  assert.notEqual(again.error, 'authorization_pending');
});
