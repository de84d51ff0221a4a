// The tests for both TypeScript SDKs: `connect(transport)` returns a client, `finish` passes it the authorization response.
import assert from 'node:assert/strict';
import { test } from 'node:test';

export function assistant(here, { sdk, Transport, connect, finish }) {
  const name = `Assistant on ${sdk}`;
  const mcp = () => new URL(`${here.url}/mcp`);
  const withToken = () => new Transport(mcp(), { requestInit: { headers: { Authorization: `Bearer ${here.token}` } } });
  const app = new App(name, () => here.callback.uri);
  let client;

  test(`${sdk}: with a personal token the tools are listed, each with an output schema`, async () => {
    client = await connect(withToken());
    const { tools } = await client.listTools();
    for (const known of ['get_me', 'get_holdings', 'get_income_outlook']) assert.ok(tools.some(tool => tool.name === known), known);
    for (const tool of tools) assert.equal(tool.outputSchema?.type, 'object', tool.name);
  });

  // The SDK validates the results against the schemas listed above.
  for (const [tool, args, path] of CALLS) {
    test(`${sdk}: ${tool} returns what the API returns for ${path}`, async () => {
      const { structuredContent, isError, content } = await client.callTool({ name: tool, arguments: args });
      assert.ok(!isError, content[0]?.text);
      assert.deepEqual(structuredContent, await here.apiBody(path));
      assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    });
  }

  test(`${sdk}: an invalid argument is reported to the model, which can correct it`, async () => {
    const { isError, content } = await client.callTool({ name: 'get_upcoming_dividends', arguments: { days: 'many' } });
    assert.equal(isError, true);
    assert.match(content[0].text, /days/);
  });

  test(`${sdk}: resources are listed and read`, async () => {
    const { resources } = await client.listResources();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      assert.ok(contents[0].text.length > 100, uri);
    }
    assert.ok(resources.length > 0);
  });

  test(`${sdk}: prompts are listed and filled in`, async () => {
    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({ name: 'my_year', arguments: { year: '2025' } });
    assert.ok(prompts.some(prompt => prompt.name === 'my_year'));
    assert.match(messages[0].content.text, /2025/);
    await client.close();
  });

  test(`${sdk}: without a token it discovers the consent page and returns with access`, async () => {
    const transport = new Transport(mcp(), { authProvider: app });
    await assert.rejects(connect(transport), { name: /Error/, message: /[Uu]nauthorized/ });
    assert.equal(app.authorizationUrl.searchParams.get('resource'), `${here.url}/mcp`);
    await here.person.allow(app.authorizationUrl.href, name);
    assert.equal(here.callback.arrived().searchParams.get('state'), app.sentState);
    await finish(transport, here.callback.arrived().searchParams);
    await assertReads(app);
  });

  test(`${sdk}: it refreshes an expired access token by itself`, async () => {
    const before = app.savedTokens;
    app.savedTokens = { ...before, access_token: 'drip_oat_ended' };
    await assertReads(app);
    assert.notEqual(app.savedTokens.refresh_token, before.refresh_token);
  });

  async function assertReads(authProvider) {
    const client = await connect(new Transport(mcp(), { authProvider }));
    const { structuredContent } = await client.callTool({ name: 'get_me', arguments: {} });
    assert.deepEqual(structuredContent, await here.apiBody('/api/v1/me'));
    await client.close();
  }
}

const CALLS = [
  ['get_me', {}, '/api/v1/me'],
  ['get_income_outlook', {}, '/api/v1/income'],
  ['get_holdings', {}, '/api/v1/holdings'],
  ['get_dividends', {}, '/api/v1/dividends'],
  ['get_status', {}, '/api/v1/status'],
  ['get_valuation', {}, '/api/v1/valuation'],
  ['get_received', {}, '/api/v1/received'],
  ['get_transactions', { limit: 5, type: 'buy' }, '/api/v1/transactions?limit=5&type=buy'],
  ['get_radar', {}, '/api/v1/radar'],
  ['get_upcoming_dividends', { days: 90 }, '/api/v1/upcoming?days=90'],
];

// What the SDKs leave to the app: storing its credentials and opening the browser.
class App {
  #name;
  #callback;

  constructor(name, callback) {
    [this.#name, this.#callback] = [name, callback];
  }

  get redirectUrl() {
    return this.#callback();
  }

  get clientMetadata() {
    const grant_types = ['authorization_code', 'refresh_token'];
    return { client_name: this.#name, redirect_uris: [this.redirectUrl], grant_types, token_endpoint_auth_method: 'none' };
  }

  state = () => (this.sentState = crypto.randomUUID());
  clientInformation = () => this.client;
  saveClientInformation = client => void (this.client = client);
  tokens = () => this.savedTokens;
  saveTokens = tokens => void (this.savedTokens = tokens);
  discoveryState = () => this.discovered;
  saveDiscoveryState = discovered => void (this.discovered = discovered);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = verifier => void (this.verifier = verifier);
  redirectToAuthorization = url => void (this.authorizationUrl = url);
}
