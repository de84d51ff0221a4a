// An app without a browser, by plain HTTP.
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

export async function device({ url }, name, resource) {
  const app = { client_name: name, grant_types: [DEVICE, 'refresh_token'], token_endpoint_auth_method: 'none' };
  const { client_id } = await sent(`${url}/oauth/register`, JSON.stringify(app), { 'Content-Type': 'application/json' });
  const post = (path, fields) => sent(url + path, new URLSearchParams({ client_id, ...fields }));
  return {
    start: () => post('/oauth/device_authorization', { scope: 'read offline_access', resource: url + resource }),
    poll: device_code => post('/oauth/token', { grant_type: DEVICE, device_code }),
    refresh: refresh_token => post('/oauth/token', { grant_type: 'refresh_token', refresh_token }),
  };
}

async function sent(address, body, headers) {
  const answer = await fetch(address, { method: 'POST', headers, body });
  return { status: answer.status, ...(await answer.json()) };
}
