// The suite as an app that requests access: it prints an address, where our user signs in and allows it.
import { createServer } from 'node:net';
import { conformance } from './suite.mjs';
import { Visitor } from './visitor.mjs';

export async function authorize({ url, email, password, dripline }) {
  const port = await freePort();
  const id = await dripline(['client', 'add', '--name', 'Conformance suite', '--redirect-uri', `http://127.0.0.1:${port}/callback`]);
  const args = ['authorization', '--url', url, '--client-id', id.trim(), '--resource', `${url}/mcp`, '--port', String(port)];
  let allowed;
  const scenarios = await conformance(args, 'authorization', line => {
    if (line.startsWith(`${url}/oauth/authorize?`)) allowed = allow(line, email, password);
  });
  await allowed;
  return { scenarios, required: [...scenarios.keys()] };
}

async function allow(address, email, password) {
  const person = new Visitor();
  await person.go(address);
  await person.submit({ email, password });
  await person.submit({ decision: 'allow' });
}

async function freePort() {
  const server = createServer();
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
}
