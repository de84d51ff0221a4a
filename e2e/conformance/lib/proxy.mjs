// A proxy for a client that cannot send a token: it adds the header and changes nothing else.
import http from 'node:http';

export async function listen() {
  let target;
  const server = http.createServer((from, to) => forward(target, from, to));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    to: (url, token) => (target = { url: new URL(url), token }),
    stop: () => (server.closeAllConnections(), new Promise(resolve => server.close(resolve))),
  };
}

function forward({ url, token }, from, to) {
  const headers = [...from.rawHeaders, 'Authorization', `Bearer ${token}`];
  const request = http.request({ host: url.hostname, port: url.port, method: from.method, path: from.url, headers, setHost: false });
  request.on('response', answer => {
    to.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
    answer.pipe(to);
  });
  request.on('error', () => to.destroy());
  to.on('close', () => request.destroy());
  from.pipe(request);
}
