// A reporter for Node's test runner: one line per test, failures in full, and "N passed, N failed" at the end.
import { basename } from 'node:path';
import { inspect } from 'node:util';

export default async function* report(events) {
  let passed = 0;
  const failures = [];
  const files = new Set();
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (type === 'test:pass' && isFile(data) && !files.has(fileOf(data))) failures.push(`${fileOf(data)} ran no test\n`);
    if (isGroup(data, type)) continue;
    files.add(fileOf(data));
    const name = `${fileOf(data)}: ${data.name}`;
    if (type === 'test:fail') failures.push(`${name}\n${indent(reason(data.details.error))}\n`);
    else if (skipped(data)) yield `  skipped  ${name}\n`;
    else passed += 1;
    if (!skipped(data)) yield `  ${type === 'test:pass' ? 'ok    ' : 'FAILED'} ${seconds(data)} ${name}\n`;
  }
  if (failures.length) yield `\n${failures.join('\n')}\n`;
  if (failures.length) process.exitCode = 1;
  yield `${passed} passed, ${failures.length} failed\n`;
}

// Suites, and files as some versions of Node report them, are not counted: their tests are.
function isGroup(data, type) {
  if (type === 'test:fail') return data.details.error?.failureType === 'subtestsFailed';
  return data.details.type === 'suite' || isFile(data);
}

const isFile = data => data.nesting === 0 && data.name.endsWith('.test.mjs');
const skipped = data => data.skip !== undefined || data.todo !== undefined;
const seconds = data => `${((data.details.duration_ms ?? 0) / 1000).toFixed(1).padStart(5)} s`;
const fileOf = data => basename(data.file ?? data.name);
const indent = text => text.replace(/^/gm, '    ');

function reason(error) {
  const cause = error?.cause ?? error;
  return cause?.stack ?? (typeof cause === 'string' ? cause : inspect(cause));
}
