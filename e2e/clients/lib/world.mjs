// A test file's own environment: a service with an account, and its user at a browser.
import { after, before } from 'node:test';
import { launch } from '../../web/lib/browser.mjs';
import { api } from '../../web/lib/visitor.mjs';
import { demo } from '../../web/lib/service.mjs';
import { callback } from './callback.mjs';
import { Person } from './person.mjs';

export function world() {
  const world = {};
  before(async () => {
    world.browser = await launch();
    // The clock is real, because tokens and codes expire and clients have their own clocks.
    world.service = await demo({ now: null });
    world.callback = await callback();
    world.person = await Person.at(world.browser, world.service);
    Object.assign(world, { url: world.service.url, token: world.service.token });
  });
  after(async () => {
    await world.browser?.close();
    world.callback?.close();
    await world.service?.stop();
  });
  // What the API returns for the path.
  world.apiBody = async path => (await api(world.url, path, world.token)).body;
  return world;
}

// The status that a token gets from the API, and from the connector.
export async function atApi({ url }, token) {
  const answer = await fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
  return answer.status;
}

export async function atMcp({ url }, token) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  return answer.status;
}
