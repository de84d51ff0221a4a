// The fixture (crates/server/examples/mcp_fixture) on a free port.
import { spawn } from 'node:child_process';

const START_MS_MAX = 30_000;

export async function fixture(...args) {
  const child = spawn(process.env.MCP_FIXTURE, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => child.once('exit', resolve));
  process.once('exit', () => child.kill('SIGKILL'));
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the fixture printed no address in ${START_MS_MAX / 1000} s`)), START_MS_MAX);
    child.once('error', reject).once('exit', code => reject(new Error(`the fixture exited with ${code}`)));
    child.stdout.setEncoding('utf8').once('data', line => (clearTimeout(timer), resolve(line.trim())));
  });
  return { url, stop: () => (child.kill('SIGKILL'), ended) };
}
