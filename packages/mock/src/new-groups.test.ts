import { beforeEach, describe, expect, test } from 'vitest';
import { features } from './features/index.ts';
import { createMockService, type MockService } from './mock.ts';

// A group without a file of its own: these are treated as if they had none.
const kinds = ['label', 'comment', 'collection', 'project'];
const withoutRules = {
  ...features,
  operation: (id: string) =>
    /^(labels|comments|collections|projects)\./.test(id) ? {} : features.operation(id),
  kind: (kind: string) => (kinds.includes(kind) ? {} : features.kind(kind)),
};

let service: MockService;
beforeEach(async () => {
  service = await createMockService('http://mock.test', { hasSampleData: true }, withoutRules);
});

// Tests assert what they read of a response.
/* eslint-disable typescript/no-explicit-any */
async function send(method: string, path: string, body?: object) {
  const response = await service.respond({
    method,
    isHead: false,
    url: new URL(path, 'http://mock.test'),
    headers: { authorization: 'Bearer anyone', 'content-type': 'application/json' },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  });
  const parsed: any = typeof response.body === 'string' ? JSON.parse(response.body) : {};
  return { status: response.status, ...parsed };
}

describe('a group without rules of its own', () => {
  test('creates, reads, lists, changes and deletes', async () => {
    const created = await send('POST', '/api/labels', { name: 'New group', color: 'RED' });
    expect(created).toMatchObject({ status: 201, data: { name: 'New group', color: 'RED' } });
    const path = `/api/labels/${created.data.id}`;
    expect((await send('GET', path)).data).toEqual(created.data);
    const found = await send('GET', '/api/labels?q=new%20GR');
    expect(found.data).toMatchObject({ items: [created.data], pagination: { total: 1 } });
    const changed = await send('PATCH', path, { color: 'BLUE' });
    expect(changed.data).toMatchObject({ name: 'New group', color: 'BLUE' });
    expect(await send('DELETE', path)).toMatchObject({
      status: 200,
      data: { id: created.data.id },
    });
    expect(await send('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
    expect((await send('GET', '/api/labels?q=new%20GR')).data.pagination.total).toBe(0);
  });

  test('records what happened, by the actions of the contract', async () => {
    const { data } = await send('POST', '/api/collections/create', { title: 'One' });
    await send('PATCH', `/api/collections/${data.id}`, { title: 'Two' });
    await send('PATCH', `/api/collections/${data.id}`, { title: 'Two' });
    const { data: timeline } = await send('GET', `/api/timeline/user?resourceId=${data.id}`);
    expect(timeline.items.map(({ action, changes }: any) => [action, changes])).toEqual([
      ['collection.rename', [{ field: 'title', from: 'One', to: 'Two' }]],
      ['collection.create', []],
    ]);
  });

  test('deletes what is below a record, and moves to the bin what has one', async () => {
    const project = await send('POST', '/api/projects', { name: 'Parent' });
    const task = await send('POST', `/api/projects/${project.data.id}/tasks`, { title: 'Child' });
    await send('DELETE', `/api/projects/${project.data.id}`);
    expect((await send('GET', `/api/tasks/${task.data.id}`)).status).toBe(404);
    const { data } = await send('POST', '/api/collections/create', { title: 'Binned' });
    await send('DELETE', `/api/collections/${data.id}`);
    const bin = await send('GET', '/api/collections/bin');
    expect(bin.data.items).toMatchObject([{ id: data.id, title: 'Binned' }]);
    expect((await send('POST', `/api/collections/${data.id}/restore`)).status).toBe(200);
  });

  test('hides the records of another organization', async () => {
    const { data } = await send('POST', '/api/labels', { name: 'Private', color: 'RED' });
    const team = await send('POST', '/api/organizations', { name: 'Elsewhere' });
    const response = await service.respond({
      method: 'GET',
      isHead: false,
      url: new URL(`/api/labels/${data.id}`, 'http://mock.test'),
      headers: { authorization: 'Bearer anyone', 'x-organization-id': team.data.id },
      body: new Uint8Array(),
    });
    expect(response.status).toBe(404);
  });
});
