// A client in Python: it gets its settings as JSON, and each line it prints is a JSON object of results by name.
// {"open": address} asks the user to open an address; the address where the browser arrived is written back.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const MS_MAX = 60_000;
const ENV = { PYTHONPATH: 'lib', PYTHONDONTWRITEBYTECODE: '1', AUTHLIB_INSECURE_TRANSPORT: '1' };

export async function python(here, file, settings, app) {
  const child = spawn(process.env.PYTHON, [file, JSON.stringify(settings)], { env: { ...process.env, ...ENV }, timeout: MS_MAX });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
  const seen = { asked: 0 };
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { open, ...results } = JSON.parse(line);
      Object.assign(seen, results);
      if (!open) continue;
      seen.asked += 1;
      await here.person.allow(open, app);
      child.stdin.write(`${here.callback.arrived()}\n`);
    }
  } finally {
    child.kill();
  }
  const code = await ended;
  if (code !== 0) throw new Error(`${file} exited with ${code}: ${stderr.slice(-3000)}`);
  return seen;
}
