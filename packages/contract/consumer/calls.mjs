// Sends requests through unpatched ts-rest: node calls.mjs <base URL> <email> <password>
import assert from 'node:assert/strict';
import { contract } from '@atelier/contract';
import { initClient } from '@ts-rest/core';

const [baseUrl, email, password] = process.argv.slice(2);
const visitor = initClient(contract, { baseUrl, baseHeaders: {}, validateResponse: true });
const signedIn = await visitor.auth.login({ body: { email, password } });
assert.equal(signedIn.status, 200);
const client = initClient(contract, {
  baseUrl,
  baseHeaders: { authorization: `Bearer ${signedIn.body.data.token.accessToken}` },
  validateResponse: true,
});
const project = await client.projects.create({ body: { name: 'Through ts-rest' } });
const { id: projectId } = project.body.data;
const made = await client.tasks.create({ params: { projectId }, body: { title: 'Write' } });
assert.deepEqual([made.status, made.body.data.title], [201, 'Write']);
await client.tasks.create({ params: { projectId }, body: { title: 'Read' } });
const list = await client.tasks.listInProject({ params: { projectId }, query: { limit: '1' } });
assert.deepEqual([list.status, list.body.data.pagination.total], [200, 2]);
assert.equal(list.body.data.items.length, 1);
const { id } = made.body.data;
assert.equal((await client.tasks.remove({ params: { id } })).status, 200);
const failed = await client.tasks.get({ params: { id } });
assert.deepEqual([failed.status, failed.body.code], [404, 'not_found']);
const { id: collectionId } = (await client.collections.create({ body: { title: 'Bin' } })).body
  .data;
await client.collections.remove({ params: { id: collectionId } });
const restored = await client.collections.restore({ params: { id: collectionId } });
assert.equal(restored.status, 200);
