import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources, resourceTypes } from '@atelier/client/resources';
import { expect, test } from 'vitest';
import { resourcePage } from './resource-page.ts';

const id = '019aa4f3-2c4d-7e5f-a061-7c8d9e0f1a2b';
const projectId = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';

test('every page of a resource is a page of the router', () => {
  // It can't be imported without a browser.
  const router = readFileSync(join(import.meta.dirname, '../router.tsx'), 'utf8');
  const routes = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path);
  const pages = resourceTypes.flatMap((type) => resources[type].page ?? []);
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    expect(routes, page).toContain(page.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '$id'));
  }
});

test('links to a resource by its id', () => {
  expect(resourcePage({ resourceType: 'asset', resourceId: id, metadata: { id: 'x' } })).toEqual({
    path: `/assets/${id}`,
    search: {},
  });
});

test('links to a task within its project', () => {
  expect(resourcePage({ resourceType: 'task', resourceId: id, metadata: { projectId } })).toEqual({
    path: `/projects/${projectId}`,
    search: { task: id },
  });
});

test.each([
  { resourceType: 'comment', metadata: {} },
  { resourceType: 'task', metadata: {} },
  { resourceType: 'task', metadata: { projectId: null } },
] as const)('has no page for %j', ({ resourceType, metadata }) => {
  expect(resourcePage({ resourceType, resourceId: id, metadata })).toBeNull();
});
