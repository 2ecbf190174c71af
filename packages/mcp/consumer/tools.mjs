// Lists and calls tools over stdio: node tools.mjs <program> <base URL> <email> <password>
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [program, baseUrl, email, password] = process.argv.slice(2);
const post = async (path, body, headers = {}) => {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()).data;
};
const { token } = await post('/api/auth/login', { email, password });
const headers = { authorization: `Bearer ${token.accessToken}` };
const listed = await fetch(`${baseUrl}/api/organizations`, { headers });
const organizationIds = (await listed.json()).data.items.slice(0, 1).map(({ id }) => id);
const access = { preset: 'read-only', organizationIds, expiresInDays: 1 };
const { key } = await post('/api/auth/api-keys', { name: 'Consumer', ...access }, headers);

for (const mode of ['auto', 'legacy']) {
  const client = new Client(
    { name: 'consumer', version: '1.0.0' },
    { versionNegotiation: { mode } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, '--toolsets', 'work'],
      env: { ATELIER_URL: baseUrl, ATELIER_KEY: key },
    }),
  );
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  assert.ok(names.includes('tasks_list') && !names.includes('tasks_create'), names.join(' '));
  const { structuredContent } = await client.callTool({ name: 'whoami' });
  assert.deepEqual(
    structuredContent.organizations.map(({ id }) => id),
    organizationIds,
  );
  await client.close();
}
