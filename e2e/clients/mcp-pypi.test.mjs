// `mcp` from PyPI (mcp_pypi.py): it sees what the API returns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { python } from './lib/python.mjs';
import { world } from './lib/world.mjs';

const here = world();
const NAME = 'Assistant on mcp';
let seen;

test('it discovers the consent page, asks once, and refreshes its tokens', async () => {
  seen = await python(here, 'mcp_pypi.py', { url: here.url, token: here.token, callback: here.callback.uri, name: NAME }, NAME);
  assert.deepEqual([seen.asked, seen.rotated], [1, true]);
});

for (const [visit, title, version] of [
  ['legacy', 'a personal token with a handshake', '2025-11-25'],
  ['auto', 'a personal token without a handshake', '2026-07-28'],
  ['oauth', 'OAuth, from the 401 to the call', '2026-07-28'],
  ['again', 'a refresh after the access token expired', '2026-07-28'],
]) {
  test(`${title}: tools, resources and prompts are listed`, () => {
    assert.equal(seen[visit].version, version);
    assert.ok(seen[visit].tools.includes('get_me'));
    assert.ok(seen[visit].resources.length && seen[visit].prompts.length);
  });

  test(`${title}: tools return what the API returns`, async () => {
    const { get_me, get_income_outlook } = seen[visit].answers;
    assert.deepEqual(get_me, await here.apiBody('/api/v1/me'));
    assert.deepEqual(get_income_outlook, await here.apiBody('/api/v1/income'));
  });
}
