import { describe, expect, test } from 'vitest';
import {
  activityActions,
  groupCatalogue,
  operations,
  resourceCatalogue,
  type ResourceDeclaration,
} from './index.ts';

const groups = Object.entries(groupCatalogue);

test('every group has a description, one sentence', () => {
  for (const [name, { description }] of groups) {
    expect(description, `packages/contract/src/${name}-group.ts`).toMatch(/^[A-Z].+[^.]\.$/);
  }
});

test('no two groups declare the same resource', () => {
  const types = groups.flatMap(([, { resources }]) => Object.keys(resources));
  expect(types.toSorted()).toEqual([...new Set(types)].toSorted());
});

/** Actions of operators and of the service itself. */
const withoutOperation = [
  'user.reset_second_factor',
  'user.token_replay',
  'user.delete',
  'user.suspend',
  'user.reinstate',
  'user.revoke_admin',
];

test('every other action belongs to an operation', () => {
  const recorded = new Set<string>(
    operations.flatMap(({ endpoint }) => endpoint.metadata.activities),
  );
  expect(activityActions.filter((action) => !recorded.has(action))).toEqual(withoutOperation);
});

describe.each(Object.entries<ResourceDeclaration>(resourceCatalogue))('%s', (_, resource) => {
  test('has a title, the name of an icon and, if any, the path of a page', () => {
    expect(resource.title).toMatch(/^[A-Z][a-z]+( [a-z]+)?s$/);
    expect(resource.icon).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    expect(resource.page ?? '/x/{id}').toMatch(/^\/[a-z{].*\{id\}$/);
  });

  test('has a label and a sentence of each action', () => {
    for (const { label, sentence } of Object.values(resource.actions)) {
      expect(label).toMatch(/^[A-Z].+[^.]$/);
      expect(sentence.split('{name}')).toHaveLength(2);
    }
  });
});
