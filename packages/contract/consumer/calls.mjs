// Sends requests through unpatched ts-rest.
import assert from 'node:assert/strict';
import { contract } from '@atelier/contract';
import { initClient } from '@ts-rest/core';

const client = initClient(contract, {
  baseUrl: process.argv[2],
  baseHeaders: { authorization: 'Bearer token' },
  validateResponse: true,
});
const list = await client.tasks.list({ query: { limit: '2' } });
assert.deepEqual([list.status, list.body.data.items.length], [200, 2]);
const [{ id, projectId }] = list.body.data.items;
const made = await client.tasks.create({ params: { projectId }, body: { title: 'Write' } });
assert.deepEqual([made.status, made.body.data.title], [201, 'Write']);
const failed = await client.tasks.get({
  params: { id },
  extraHeaders: { prefer: 'code=not_found' },
});
assert.deepEqual([failed.status, failed.body.code], [404, 'not_found']);
const published = await client.assets.restore({ params: { id } });
assert.equal(published.status, 200);
