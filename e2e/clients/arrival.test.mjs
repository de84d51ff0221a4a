// The way back to the app, in a browser that follows a form's answer only to where the page's policy allows.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callback } from './lib/callback.mjs';
import { Person } from './lib/person.mjs';
import { world } from './lib/world.mjs';

const here = world();
const NAME = 'App by another way';
const apps = [];
after(() => apps.forEach(app => app.close()));

test('the callback may be at localhost', async () => {
  const { address } = await asking({ host: 'localhost' });
  const answer = await (await stranger()).allow(address, NAME);
  assert.ok(answer.searchParams.get('code'));
});

test('the callback may send the browser on to the site of the app', async () => {
  const { address, app } = await asking({ site: 'localhost' });
  await (await stranger()).allow(address, NAME, app.uri.replace('127.0.0.1', 'localhost').replace('callback', 'done'));
});

test('an app that asks for too much is told so by who is signed in', async () => {
  const person = await stranger();
  await person.open(`${here.url}/settings/access`);
  await refused(person);
});

test('whoever is not signed in is not sent on with an error, but shown the way', async () => {
  const { address, app } = await asking({}, { scope: 'read write' });
  const answer = await fetch(address, { redirect: 'manual' });
  const [, link] = /href="([^"]*error=invalid_scope[^"]*)"/.exec(await answer.text()) ?? [];
  assert.equal(answer.status, 400);
  const back = new URL(link.replaceAll('&#38;', '&'));
  assert.deepEqual([back.href.split('?')[0], back.searchParams.get('state'), back.searchParams.get('iss')], [app.uri, 'known', here.url]);
});

async function refused(person) {
  const { address, app } = await asking({}, { scope: 'read write' });
  await person.open(address);
  const { searchParams } = await person.arrived(app.uri);
  assert.deepEqual([searchParams.get('error'), searchParams.get('iss')], ['invalid_scope', here.url]);
}

const stranger = () => Person.at(here.browser, here.service);

async function asking(kind, more) {
  const app = await callback(kind);
  apps.push(app);
  const registration = { client_name: NAME, redirect_uris: [app.uri], token_endpoint_auth_method: 'none' };
  const headers = { 'Content-Type': 'application/json' };
  const registered = await fetch(`${here.url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(registration) });
  const { client_id } = await registered.json();
  const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
  const asked = new URLSearchParams({ client_id, redirect_uri: app.uri, response_type: 'code', state: 'known', ...pkce, ...more });
  return { app, address: `${here.url}/oauth/authorize?${asked}` };
}
