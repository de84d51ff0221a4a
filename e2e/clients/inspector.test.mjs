// The MCP inspector's command line, including its check of the tools' schemas.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { world } from './lib/world.mjs';

const here = world();
const LAUNCHER = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const AUTH_REQUIRED = 3;

for (const era of ['legacy', 'modern']) {
  test(`${era}: the tools are listed, and their schemas have no errors`, async () => {
    const { code, result, stderr } = await inspector(era, here.token, '--method', 'tools/list', '--strict');
    assert.equal(code, 0, stderr);
    assert.ok(result.tools.some(tool => tool.name === 'get_me'));
    assert.match(stderr, /^0 errors/m);
  });

  test(`${era}: a tool can be called`, async () => {
    const { code, result, stderr } = await inspector(era, here.token, '--method', 'tools/call', '--tool-name', 'get_income_outlook');
    assert.equal(code, 0, stderr);
    assert.deepEqual(result.structuredContent, await here.apiBody('/api/v1/income'));
  });

  test(`${era}: a wrong token is reported as such, not as a failure`, async () => {
    const { code, stderr } = await inspector(era, 'drip_pat_wrong', '--stored-auth-only', '--method', 'tools/list');
    assert.equal(code, AUTH_REQUIRED, stderr);
  });
}

function inspector(era, token, ...args) {
  const options = ['--transport', 'http', '--header', `Authorization: Bearer ${token}`, '--protocol-era', era, '--format', 'json', '-q'];
  return new Promise(resolve => {
    execFile(process.execPath, [LAUNCHER, '--cli', `${here.url}/mcp`, ...options, ...args], { timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stderr, result: stdout && JSON.parse(stdout).result }),
    );
  });
}
