// oauth4webapi, the strictest of the clients: it validates every response against its RFC.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { atApi, atMcp, world } from './lib/world.mjs';

const here = world();
const NAME = 'Strict app';
const insecure = { [oauth.allowInsecureRequests]: true };
const asPublic = oauth.None();
let server, client, tokens, previous;

test('the authorization server describes itself (RFC 8414)', async () => {
  const issuer = new URL(here.url);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }));
  assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
});

test('the protected resources are described and name the server (RFC 9728)', async () => {
  for (const path of ['/api/v1', '/mcp']) {
    const resource = new URL(here.url + path);
    const described = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, insecure));
    assert.deepEqual(described.authorization_servers, [server.issuer]);
  }
});

test('a public app registers itself (RFC 7591)', async () => {
  const metadata = {
    client_name: NAME,
    redirect_uris: [here.callback.uri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
  client = await oauth.processDynamicClientRegistrationResponse(answer);
  assert.equal(client.client_secret, undefined);
});

test('when the user declines, the app gets an error', async () => {
  const { address, state } = await authorizationRequest();
  const answer = await here.person.deny(address, NAME);
  assert.throws(() => oauth.validateAuthResponse(server, client, answer, state), { error: 'access_denied' });
});

test('when the user allows it, the app gets a code with the issuer (RFC 9207)', async () => {
  const { address, state, verifier } = await authorizationRequest();
  await here.person.allow(address, NAME);
  const answer = oauth.validateAuthResponse(server, client, here.callback.arrived(), state);
  assert.equal(answer.get('iss'), server.issuer);
  const response = await oauth.authorizationCodeGrantRequest(server, client, asPublic, answer, here.callback.uri, verifier, insecure);
  tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  assert.ok(tokens.refresh_token);
});

test('the token works for the API but not for the connector', async () => {
  const response = await getMe(tokens);
  assert.deepEqual(await response.json(), await here.apiBody('/api/v1/me'));
  assert.equal(await atMcp(here, tokens.access_token), 401);
});

test('a refresh issues a new refresh token', async () => {
  previous = tokens;
  tokens = await refresh(previous);
  assert.notEqual(tokens.refresh_token, previous.refresh_token);
  assert.equal(await atApi(here, tokens.access_token), 200);
});

test('the previous refresh token works for a moment longer, for apps that refresh twice at once', async () => {
  const second = await refresh(previous);
  assert.equal(await atApi(here, second.access_token), 200);
  assert.equal(await atApi(here, tokens.access_token), 200);
});

test('a public app revokes its token (RFC 7009) and is refused from then on', async () => {
  const response = await oauth.revocationRequest(server, client, asPublic, tokens.refresh_token, insecure);
  await oauth.processRevocationResponse(response);
  await assert.rejects(getMe(tokens), oauth.WWWAuthenticateChallengeError);
  await assert.rejects(refresh(tokens), { error: 'invalid_grant' });
});

async function authorizationRequest() {
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

async function refresh({ refresh_token }) {
  const response = await oauth.refreshTokenGrantRequest(server, client, asPublic, refresh_token, insecure);
  return oauth.processRefreshTokenResponse(server, client, response);
}

const getMe = ({ access_token }) =>
  oauth.protectedResourceRequest(access_token, 'GET', new URL(`${here.url}/api/v1/me`), undefined, undefined, insecure);
