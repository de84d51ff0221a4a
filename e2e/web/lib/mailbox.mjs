// A mail server of a few lines: says yes to everything, and keeps the letters.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const WAIT_MS_MAX = 20_000;

export async function mailbox() {
  const letters = [];
  const server = createServer(socket => serve(socket, letters));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise(resolve => server.close(resolve));
  return { url: `smtp://127.0.0.1:${server.address().port}`, next: () => next(letters), stop };
}

async function next(letters) {
  for (const start = Date.now(); Date.now() - start < WAIT_MS_MAX; await new Promise(resolve => setTimeout(resolve, 50))) {
    if (letters.length) return letter(letters.shift());
  }
  throw new Error('no letter came');
}

function serve(socket, letters) {
  let lines;
  socket.on('error', () => {});
  socket.write('220 here\r\n');
  createInterface({ input: socket }).on('line', line => {
    if (lines && line !== '.') return void lines.push(line);
    if (lines) letters.push(lines.join('\n'));
    lines = line === 'DATA' ? [] : undefined;
    socket.write(line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 yes\r\n');
  });
}

function letter(text) {
  const [head, ...body] = text.split('\n\n');
  const subject = head.replace(/\n[ \t]+/g, '').match(/^Subject: (.*)$/m)?.[1] ?? '';
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(head);
  const isBase64 = /^Content-Transfer-Encoding: base64/im.test(head);
  const raw = body.join('\n\n');
  const words = subject.replace(/\?=\s+=\?/g, '?==?').replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how, coded) => (how.toLowerCase() === 'b' ? Buffer.from(coded, 'base64').toString() : quoted(coded.replace(/_/g, ' '))));
  return { subject: words, text: isBase64 ? Buffer.from(raw, 'base64').toString() : isQuoted ? quoted(raw) : raw };
}

function quoted(text) {
  const bytes = text.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
