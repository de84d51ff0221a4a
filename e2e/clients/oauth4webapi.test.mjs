// oauth4webapi, the strictest of the clients: each answer is held to its RFC.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { atApi, atMcp, world } from './lib/world.mjs';

const here = world();
const NAME = 'Strict app';
const insecure = { [oauth.allowInsecureRequests]: true };
const asPublic = oauth.None();
let server, client, tokens, older;

test('the authorization server describes itself (RFC 8414)', async () => {
  const issuer = new URL(here.url);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }));
  assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
});

test('what its tokens open is described, and names the server (RFC 9728)', async () => {
  for (const path of ['/api/v1', '/mcp']) {
    const resource = new URL(here.url + path);
    const described = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, insecure));
    assert.deepEqual(described.authorization_servers, [server.issuer]);
  }
});

test('a public app registers itself (RFC 7591)', async () => {
  const asked = {
    client_name: NAME,
    redirect_uris: [here.callback.uri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  const answer = await oauth.dynamicClientRegistrationRequest(server, asked, insecure);
  client = await oauth.processDynamicClientRegistrationResponse(answer);
  assert.equal(client.client_secret, undefined);
});

test('who does not allow it sends the app a refusal', async () => {
  const { address, state } = await asking();
  const answer = await here.person.deny(address, NAME);
  assert.throws(() => oauth.validateAuthResponse(server, client, answer, state), { error: 'access_denied' });
});

test('who allows it sends the app a code, and says from whom (RFC 9207)', async () => {
  const { address, state, verifier } = await asking();
  await here.person.allow(address, NAME);
  const answer = oauth.validateAuthResponse(server, client, here.callback.arrived(), state);
  assert.equal(answer.get('iss'), server.issuer);
  const response = await oauth.authorizationCodeGrantRequest(server, client, asPublic, answer, here.callback.uri, verifier, insecure);
  tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  assert.ok(tokens.refresh_token);
});

test('the token opens the API, and not the connector', async () => {
  const response = await asked(tokens);
  assert.deepEqual(await response.json(), await here.asked('/api/v1/me'));
  assert.equal(await atMcp(here, tokens.access_token), 401);
});

test('it is refreshed, with a new refresh token', async () => {
  older = tokens;
  tokens = await refreshed(older);
  assert.notEqual(tokens.refresh_token, older.refresh_token);
  assert.equal(await atApi(here, tokens.access_token), 200);
});

test('the refresh token of a moment ago still works, for apps that ask twice at once', async () => {
  const twin = await refreshed(older);
  assert.equal(await atApi(here, twin.access_token), 200);
  assert.equal(await atApi(here, tokens.access_token), 200);
});

test('a public app gives back what it has (RFC 7009), and is refused from then on', async () => {
  const response = await oauth.revocationRequest(server, client, asPublic, tokens.refresh_token, insecure);
  await oauth.processRevocationResponse(response);
  await assert.rejects(asked(tokens), oauth.WWWAuthenticateChallengeError);
  await assert.rejects(refreshed(tokens), { error: 'invalid_grant' });
});

async function asking() {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: here.callback.uri,
    response_type: 'code',
    scope: 'read offline_access',
    resource: `${here.url}/api/v1`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  return { address: address.href, state, verifier };
}

async function refreshed({ refresh_token }) {
  const response = await oauth.refreshTokenGrantRequest(server, client, asPublic, refresh_token, insecure);
  return oauth.processRefreshTokenResponse(server, client, response);
}

const asked = ({ access_token }) =>
  oauth.protectedResourceRequest(access_token, 'GET', new URL(`${here.url}/api/v1/me`), undefined, undefined, insecure);
