// The conformance suite as a command, and the results that it leaves in a folder.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = new URL('../node_modules/@modelcontextprotocol/conformance/', import.meta.url).pathname;

// All scenarios of a revision, and the names of those that conformance to it requires.
export async function requirements(url, revision) {
  const scenarios = await conformance(['server', '--url', url, '--requirements', revision], 'server');
  return { scenarios, required: await required(revision) };
}

// Runs it.  `heard(line)` is told each line that it prints.
export async function conformance(args, prefix, heard = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const said = await command([join(SUITE, 'dist/index.js'), ...args, '--output-dir', folder], heard);
  const scenarios = await results(folder, prefix);
  const announced = Number(said.match(/\((\d+) scenarios\)/)?.[1]);
  if (scenarios.size !== announced) throw new Error(`${scenarios.size} of ${announced} scenarios left results: ${said.slice(-2000)}`);
  return scenarios;
}

// Its exit code says what the results say, by other rules than ours.
async function command(args, heard) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', part => {
      said += part;
      part.split('\n').forEach(heard);
    });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return said;
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
