// `mcp` from PyPI (mcp_pypi.py): what it saw is what the API says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { python } from './lib/python.mjs';
import { world } from './lib/world.mjs';

const here = world();
const NAME = 'Assistant on mcp';
let seen;

test('it finds its way to the page that asks, once, and refreshes what it was given', async () => {
  seen = await python(here, 'mcp_pypi.py', { url: here.url, token: here.token, callback: here.callback.uri, name: NAME }, NAME);
  assert.deepEqual([seen.asked, seen.rotated], [1, true]);
});

for (const [visit, title, version] of [
  ['legacy', 'a personal token with a handshake', '2025-11-25'],
  ['auto', 'a personal token without a handshake', '2026-07-28'],
  ['oauth', 'OAuth, from the refusal to the call', '2026-07-28'],
  ['again', 'a refresh when its access has ended', '2026-07-28'],
]) {
  test(`${title}: tools, resources and prompts are listed`, () => {
    assert.equal(seen[visit].version, version);
    assert.ok(seen[visit].tools.includes('get_me'));
    assert.ok(seen[visit].resources.length && seen[visit].prompts.length);
  });

  test(`${title}: tools answer what the API answers`, async () => {
    const { get_me, get_income_outlook } = seen[visit].answers;
    assert.deepEqual(get_me, await here.asked('/api/v1/me'));
    assert.deepEqual(get_income_outlook, await here.asked('/api/v1/income'));
  });
}
