// An app's redirect URI on the loopback; it redirects the browser to the app's site if there is one.
import { createServer } from 'node:http';

const PAGE = '<!doctype html><title>Done</title><link rel="icon" href="data:,"><p>You can close this.';

export async function callback({ host = '127.0.0.1', site } = {}) {
  let arrived;
  const server = createServer((request, response) => {
    const here = request.url.startsWith('/callback');
    if (here) arrived = new URL(request.url, uri);
    if (here && site) response.writeHead(302, { Location: `http://${site}:${server.address().port}/done` }).end();
    else response.setHeader('Content-Type', 'text/html').end(PAGE);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const uri = `http://${host}:${server.address().port}/callback`;
  return { uri, arrived: () => arrived, close: () => (server.close(), server.closeAllConnections()) };
}
