// @modelcontextprotocol/client, pinned to the protocol revision without a handshake; it also checks the issuer of the response.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { assistant } from './lib/assistant.mjs';
import { world } from './lib/world.mjs';

assistant(world(), {
  sdk: '@modelcontextprotocol/client',
  Transport: StreamableHTTPClientTransport,
  connect: async transport => {
    const client = new Client({ name: 'dripline-test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(transport);
    return client;
  },
  finish: (transport, answer) => transport.finishAuth(answer),
});
