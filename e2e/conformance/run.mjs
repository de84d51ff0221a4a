// Runs the suite against the servers and counts the results.
import { readFile } from 'node:fs/promises';
import { demo } from '../web/lib/service.mjs';
import { authorize } from './lib/authorize.mjs';
import { compare } from './lib/compare.mjs';
import { fixture } from './lib/fixture.mjs';
import { listen } from './lib/proxy.mjs';
import { requirements } from './lib/suite.mjs';

const CURRENT = '2026-07-28';
const EARLIER = '2025-11-25';

const expected = JSON.parse(await readFile(new URL('expected-failures.json', import.meta.url), 'utf8'));
let [passed, failed] = [0, 0];

await runAgainst(product, { product: [CURRENT, EARLIER] });
await runAgainst(() => fixture(), { fixture: [CURRENT, EARLIER] });
await runAgainst(() => fixture('--sessions'), { 'fixture with sessions': [EARLIER] });
await runAgainst(demo, { authorization: [undefined] });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

async function runAgainst(start, plan) {
  const server = await start();
  try {
    for (const [name, revisions] of Object.entries(plan))
      for (const revision of revisions) await countRun(name, revision, server);
  } finally {
    await server.stop();
  }
}

async function countRun(name, revision, server) {
  const run = revision ? `${name} ${revision}` : name;
  const { scenarios, required } = revision ? await requirements(`${server.url}/mcp`, revision) : await authorize(server);
  const { good, problems } = compare(run, scenarios, expected);
  const met = required.filter(scenario => good.includes(scenario)).length;
  const summary = `${good.length} of ${scenarios.size} scenarios pass, ${met} of ${required.length} required`;
  console.log(`  ${problems.length ? 'FAILED' : 'ok    '} ${run}: ${summary}`);
  for (const problem of problems) console.log(`         ${problem}`);
  passed += good.length;
  failed += problems.length;
}

// The suite cannot send a token, so it uses a proxy, whose address is the service's base URL.
async function product() {
  const proxy = await listen();
  const service = await demo({ env: { DRIPLINE_BASE_URL: proxy.url } });
  proxy.to(service.url, service.token);
  return { url: proxy.url, stop: async () => (await service.stop(), await proxy.stop()) };
}
