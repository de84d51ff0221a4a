// openid-client, as a confidential app on a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as client from 'openid-client';
import { atApi, world } from './lib/world.mjs';

const here = world();
const NAME = 'App with a secret';
let app, tokens;

test('an app registers itself and gets a secret', async () => {
  const metadata = {
    client_name: NAME,
    redirect_uris: [here.callback.uri],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_method: 'client_secret_basic',
  };
  const options = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] };
  app = await client.dynamicClientRegistration(new URL(here.url), metadata, client.ClientSecretBasic(), options);
  assert.ok(app.clientMetadata().client_secret);
});

test('a code with PKCE gives access to the API', async () => {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
  const address = client.buildAuthorizationUrl(app, {
    redirect_uri: here.callback.uri,
    scope: 'read offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  await here.person.allow(address.href, NAME);
  tokens = await client.authorizationCodeGrant(app, here.callback.arrived(), { pkceCodeVerifier, expectedState });
  const response = await client.fetchProtectedResource(app, tokens.access_token, new URL(`${here.url}/api/v1/me`), 'GET');
  assert.deepEqual(await response.json(), await here.apiBody('/api/v1/me'));
});

test('refresh', async () => {
  tokens = await client.refreshTokenGrant(app, tokens.refresh_token);
  assert.equal(await atApi(here, tokens.access_token), 200);
});

test('the app revokes its access token and is refused', async () => {
  await client.tokenRevocation(app, tokens.access_token);
  assert.equal(await atApi(here, tokens.access_token), 401);
});

test('the device flow, with this client’s polling', async () => {
  const codes = await client.initiateDeviceAuthorization(app, { scope: 'read' });
  const waiting = client.pollDeviceAuthorizationGrant(app, codes);
  await here.person.allowDevice(codes.verification_uri_complete, codes.user_code, NAME);
  const { access_token } = await waiting;
  assert.equal(await atApi(here, access_token), 200);
});
