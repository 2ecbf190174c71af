import { expect, test } from 'vitest';
import { groupCatalogue, operations, tools, toolsets } from './index.ts';

const names = tools.map(({ name }) => name);

test('every tool has a name of its own, in small letters, of at most 64 characters', () => {
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name) || name.length > 64)).toEqual([]);
});

test('a name is that of its operation', () => {
  const named = new Map(tools.map(({ id, name }) => [id, name]));
  expect(named.get('tasks.create')).toBe('tasks_create');
  expect(named.get('assetComments.markers')).toBe('asset_comments_markers');
});

/** Groups that are never tools, with any key. */
const withoutTools = [
  'account',
  'apiKeys',
  'auth',
  'events',
  'health',
  'notifications',
  'plans',
  'profile',
  'security',
  'serviceAccounts',
  'sessions',
  'shares',
  'uploads',
  'webhooks',
];

test('every group is in a toolset or in none, and those in none have no tool', () => {
  const decided = Object.entries(groupCatalogue).map(([group, { toolset }]) => ({
    group,
    toolset,
  }));
  expect(
    decided.filter(({ toolset }) => toolset !== null && !toolsets.includes(toolset)),
    "write `toolset: '…'` or `toolset: null` in packages/contract/src/<group>-group.ts",
  ).toEqual([]);
  const none = decided.filter(({ toolset }) => toolset === null).map(({ group }) => group);
  expect(none, 'update this list in packages/contract/src/tools.test.ts').toEqual(
    expect.arrayContaining(withoutTools),
  );
  const groups = new Set(tools.map(({ id }) => id.split('.')[0]));
  expect(none.filter((group) => groups.has(group))).toEqual([]);
});

test('every toolset has tools, and a tool is in that of its group', () => {
  const bySet = Object.groupBy(tools, ({ toolset }) => toolset);
  expect(Object.keys(bySet).toSorted()).toEqual([...toolsets].toSorted());
  for (const { id, toolset } of tools) {
    expect(toolset, id).toBe(
      groupCatalogue[id.split('.')[0] as keyof typeof groupCatalogue].toolset,
    );
  }
});

test('no tool is a stream, responds with a secret, or refuses keys', () => {
  const unfit = tools.filter(({ endpoint: { metadata } }) => {
    const { success, secretKey, secretResponse, keys } = metadata;
    return success.isStream || secretKey || secretResponse || keys === null || keys === 'refused';
  });
  expect(unfit.map(({ id }) => id)).toEqual([]);
});

test('an operation of a group with a toolset that is no tool is named here', () => {
  const isTool = new Set(tools.map(({ id }) => id));
  const others = operations.filter(({ id, endpoint: { metadata } }) => {
    const { toolset } = groupCatalogue[id.split('.')[0] as keyof typeof groupCatalogue];
    const isForKeys = metadata.keys !== null && metadata.keys !== 'refused';
    return toolset !== null && isForKeys && !isTool.has(id);
  });
  expect(
    others.map(({ id }) => id).toSorted(),
    'update this list in packages/contract/src/tools.test.ts',
  ).toEqual(['assets.setCover', 'search.rebuild', 'search.suggest']);
});
