// Runs the `dripline` binary for a test: a service on a free port with its own folder, and commands on that folder.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const NOW = '2026-11-15T12:00:00Z';
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;
const COMMAND_MS_MAX = 120_000;

// An account with a ledger, deleted with the service; `email`, `password` and `token` give access to it.
export const demo = options => start('demo', options);

// An empty database.  `prepare(dripline)` can run commands on it before the service starts.
export const serve = options => start('serve', options);

async function start(verb, { now = NOW, env = {}, prepare } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'dripline-web-'));
  const environment = await environmentFor(folder, now, env);
  const dripline = (args, options) => command(args, environment, options);
  let service;
  try {
    await prepare?.(dripline);
    service = await startListening(verb, environment);
    if (verb === 'demo') environment.DRIPLINE_DATA_DIR = await demoFolder(environment.TMPDIR);
  } catch (error) {
    if (service) await end(service.child);
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const stop = async () => {
    await end(service.child);
    await rm(folder, { recursive: true, force: true });
  };
  return { ...printed(service.stdout()), folder, dripline, log: service.stderr, stop };
}

// The developer's own DRIPLINE_ settings must not reach a test.
async function environmentFor(folder, now, env) {
  const kept = Object.entries(process.env).filter(([key]) => !key.startsWith('DRIPLINE_'));
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const own = { DRIPLINE_DATA_DIR: join(folder, 'data'), TMPDIR: temporary, NO_COLOR: '1' };
  return { ...Object.fromEntries(kept), ...own, ...(now && { DRIPLINE_NOW: now }), ...env };
}

// The demo creates its own folder in the temporary folder.
async function demoFolder(temporary) {
  const name = (await readdir(temporary)).find(name => name.startsWith('dripline-demo-'));
  if (!name) throw new Error(`the demo created no folder dripline-demo-… in ${temporary}`);
  return join(temporary, name);
}

function startListening(verb, environment) {
  const child = run([verb, '--listen', '127.0.0.1:0'], environment, 'ignore');
  const service = { child, stdout: text(child.stdout), stderr: text(child.stderr) };
  return new Promise((resolve, reject) => {
    const fail = why => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`\`dripline ${verb}\` ${why}: ${(service.stdout() + service.stderr()).slice(-2000)}`));
    };
    const timer = setTimeout(() => fail(`printed no address in ${START_MS_MAX / 1000} s`), START_MS_MAX);
    child.once('error', error => fail(`could not be started (${error.message})`));
    child.once('exit', code => fail(`exited with ${code}`));
    child.stdout.on('data', () => {
      if (!isPrinted(verb, service.stdout())) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(service);
    });
  });
}

function isPrinted(verb, text) {
  const { url, token } = printed(text);
  return verb === 'demo' ? url && token : url;
}

// Complete lines only: part of an address also looks like an address.
function printed(text) {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const [, email, password] = lines.match(/^sign-in +(\S+) +password +(\S+)$/m) ?? [];
  return { url: lines.match(/http:\/\/127\.0\.0\.1:[1-9]\d*/)?.[0], email, password, token: lines.match(/^token +(\S+)$/m)?.[1] };
}

async function command(args, environment, { input = '' } = {}) {
  const child = run(args, environment, 'pipe');
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  child.stdin.on('error', () => {}); // A command that reads no input closes the pipe; only its exit code matters.
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS_MAX);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearTimeout(timer);
  if (code !== 0) throw new Error(`\`dripline ${args.join(' ')}\` exited with ${code}: ${stderr().trim().slice(-2000)}`);
  return stdout();
}

function run(args, env, stdin) {
  const binary = process.env.DRIPLINE_BINARY;
  if (!binary) throw new Error('DRIPLINE_BINARY is not set: set it to the path of the dripline binary');
  const child = spawn(binary, args, { env, stdio: [stdin, 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

function text(stream) {
  let all = '';
  stream.setEncoding('utf8').on('data', part => (all += part));
  return () => all;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await ended;
  clearTimeout(timer);
}
