// The redirect back to the app, in a browser that enforces the page's content security policy.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callback } from './lib/callback.mjs';
import { Person } from './lib/person.mjs';
import { world } from './lib/world.mjs';

const here = world();
const NAME = 'App with another redirect';
const apps = [];
after(() => apps.forEach(app => app.close()));

test('the callback can be on localhost', async () => {
  const { address } = await authorizationRequest({ host: 'localhost' });
  const answer = await (await newPerson()).allow(address, NAME);
  assert.ok(answer.searchParams.get('code'));
});

test('the callback can redirect the browser to the app’s site', async () => {
  const { address, app } = await authorizationRequest({ site: 'localhost' });
  await (await newPerson()).allow(address, NAME, app.uri.replace('127.0.0.1', 'localhost').replace('callback', 'done'));
});

test('an app that requests too much gets an error if the user is signed in', async () => {
  const person = await newPerson();
  await person.open(`${here.url}/settings/access`);
  await assertRefused(person);
});

test('a visitor who is not signed in is not redirected with the error, but shown a link', async () => {
  const { address, app } = await authorizationRequest({}, { scope: 'read write' });
  const answer = await fetch(address, { redirect: 'manual' });
  const [, link] = /href="([^"]*error=invalid_scope[^"]*)"/.exec(await answer.text()) ?? [];
  assert.equal(answer.status, 400);
  const back = new URL(link.replaceAll('&#38;', '&'));
  assert.deepEqual([back.href.split('?')[0], back.searchParams.get('state'), back.searchParams.get('iss')], [app.uri, 'known', here.url]);
});

async function assertRefused(person) {
  const { address, app } = await authorizationRequest({}, { scope: 'read write' });
  await person.open(address);
  const { searchParams } = await person.waitForArrival(app.uri);
  assert.deepEqual([searchParams.get('error'), searchParams.get('iss')], ['invalid_scope', here.url]);
}

const newPerson = () => Person.at(here.browser, here.service);

async function authorizationRequest(kind, more) {
  const app = await callback(kind);
  apps.push(app);
  const registration = { client_name: NAME, redirect_uris: [app.uri], token_endpoint_auth_method: 'none' };
  const headers = { 'Content-Type': 'application/json' };
  const registered = await fetch(`${here.url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(registration) });
  const { client_id } = await registered.json();
  const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
  const query = new URLSearchParams({ client_id, redirect_uri: app.uri, response_type: 'code', state: 'known', ...pkce, ...more });
  return { app, address: `${here.url}/oauth/authorize?${query}` };
}
