// Runs the conformance suite and reads the results from its output folder.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = new URL('../node_modules/@modelcontextprotocol/conformance/', import.meta.url).pathname;

// All scenarios of a revision, and the names of those that it requires.
export async function requirements(url, revision) {
  const scenarios = await conformance(['server', '--url', url, '--requirements', revision], 'server');
  return { scenarios, required: await required(revision) };
}

// Runs the suite and calls `onLine` for each line that it prints.
export async function conformance(args, prefix, onLine = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const output = await command([join(SUITE, 'dist/index.js'), ...args, '--output-dir', folder], onLine);
  const scenarios = await results(folder, prefix);
  const announced = Number(output.match(/\((\d+) scenarios\)/)?.[1]);
  if (scenarios.size !== announced) throw new Error(`${scenarios.size} of ${announced} scenarios left results: ${output.slice(-2000)}`);
  return scenarios;
}

// The exit code is ignored: it judges the results by other rules than ours.
async function command(args, onLine) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', part => {
      output += part;
      part.split('\n').forEach(onLine);
    });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return output;
}

async function results(folder, prefix) {
  const scenarios = new Map();
  for (const name of (await readdir(folder)).sort()) {
    const scenario = name.match(/^(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/)?.[1].slice(prefix.length + 1);
    if (scenario) scenarios.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return scenarios;
}

async function required(revision) {
  const text = await readFile(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8');
  const [, list] = text.match(/^server:\n((?:  - .+\n)+)/m);
  return list.match(/(?<=- ).+/g);
}
