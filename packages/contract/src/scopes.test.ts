import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memberAccess, permissionMatrix, publicAccess, userAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { scopes } from './scopes.ts';

test('every permission is a scope, apart from those that no program has', () => {
  const permissions = Object.keys(permissionMatrix);
  const sessionsOnly = permissions.filter((name) => !(scopes as readonly string[]).includes(name));
  expect(sessionsOnly).toEqual([
    'organization:delete',
    'organization:secure',
    'member:grant-owner',
    'service-account:manage',
    'approval:decide',
  ]);
  expect(scopes.filter((scope) => !permissions.includes(scope))).toEqual([
    'account:read',
    'timeline:read',
  ]);
});

describe('to the compiler', () => {
  const common = {
    path: '/api/things',
    summary: 'List things',
    success: ok('Things retrieved', z.object({ count: z.int() })),
  } as const;
  const reads = { ...common, method: 'GET' } as const;
  const changes = { ...common, method: 'POST' } as const;

  test('what access and method tell need not be said', () => {
    const { metadata } = endpoint({ ...reads, access: memberAccess('asset:read') });
    expect([metadata.keys, metadata.effect, metadata.confirmation]).toEqual([
      'asset:read',
      'read',
      null,
    ]);
    const ending = endpoint({ ...reads, access: memberAccess('organization:delete') });
    expect(ending.metadata.keys).toBe('refused');
    expect(endpoint({ ...reads, access: publicAccess }).metadata.keys).toBe(null);
  });

  test('an operation for accounts that says nothing of keys is wrong', () => {
    // @ts-expect-error -- a decision is missing
    expect(() => endpoint({ ...reads, access: userAccess })).toThrow('declares `keys`');
    const { metadata } = endpoint({ ...reads, access: userAccess, keys: 'account:read' });
    expect(metadata.keys).toBe('account:read');
  });

  test('a change that says nothing of its effect is wrong', () => {
    // @ts-expect-error -- a decision is missing
    endpoint({ ...changes, access: memberAccess('asset:edit') });
    const removing = { ...changes, access: memberAccess('asset:edit'), effect: 'remove' } as const;
    expect(endpoint(removing).metadata.effect).toBe('remove');
  });

  test('what is no scope opens nothing', () => {
    // @ts-expect-error -- a permission that no key has
    const wrong = endpoint({ ...reads, access: userAccess, keys: 'organization:delete' });
    expect(scopes).not.toContain(wrong.metadata.keys);
  });
});
