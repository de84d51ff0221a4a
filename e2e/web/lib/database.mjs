// Faults of a SQLite database that the service itself would never cause.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const EXECUTE = 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])';
const LOCK = 'import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute("BEGIN IMMEDIATE"); print("locked", flush=True); sys.stdin.read()';

// Runs SQL statements on the file.
export const execute = (file, sql) => promisify(execFile)('python3', ['-c', EXECUTE, file, sql]);

// Nobody else can write to the file while `act` runs.
export async function locked(file, act) {
  const child = spawn('python3', ['-c', LOCK, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await Promise.race([once(child.stdout, 'data'), exited.then(() => Promise.reject(new Error(`${file} could not be locked`)))]);
    await act();
  } finally {
    child.stdin.end();
    await exited;
  }
}
