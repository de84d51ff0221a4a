// @modelcontextprotocol/sdk, which uses the protocol revisions with a handshake.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { assistant } from './lib/assistant.mjs';
import { world } from './lib/world.mjs';

assistant(world(), {
  sdk: '@modelcontextprotocol/sdk',
  Transport: StreamableHTTPClientTransport,
  connect: async transport => {
    const client = new Client({ name: 'dripline-test', version: '1.0.0' });
    await client.connect(transport);
    return client;
  },
  finish: (transport, answer) => transport.finishAuth(answer.get('code')),
});
