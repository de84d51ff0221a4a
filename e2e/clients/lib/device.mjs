// An app without a browser, over plain HTTP.
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

export async function device({ url }, name, resource) {
  const app = { client_name: name, grant_types: [DEVICE, 'refresh_token'], token_endpoint_auth_method: 'none' };
  const { client_id } = await post(`${url}/oauth/register`, JSON.stringify(app), { 'Content-Type': 'application/json' });
  const postForm = (path, fields) => post(url + path, new URLSearchParams({ client_id, ...fields }));
  return {
    start: () => postForm('/oauth/device_authorization', { scope: 'read offline_access', resource: url + resource }),
    poll: device_code => postForm('/oauth/token', { grant_type: DEVICE, device_code }),
    refresh: refresh_token => postForm('/oauth/token', { grant_type: 'refresh_token', refresh_token }),
  };
}

async function post(address, body, headers) {
  const answer = await fetch(address, { method: 'POST', headers, body });
  return { status: answer.status, ...(await answer.json()) };
}
