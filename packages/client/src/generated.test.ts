import { readFileSync } from 'node:fs';
import { endpoint, errorCatalogue, ok, operations } from '@atelier/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { generateResources, generateResourceTypes } from '../scripts/generate-resources.ts';
import { generateRoutes } from '../scripts/generate-routes.ts';
import { generateGroups, generateTypes, printDoc } from '../scripts/generate-types.ts';
import { routes } from './routes.ts';

const committed = (name: string) =>
  readFileSync(new URL(`generated/${name}`, import.meta.url), 'utf8');
const types = committed('types.ts');

test('the committed files equal the generated ones, also the second time', () => {
  expect(committed('routes.ts')).toBe(generateRoutes());
  expect(committed('resource-types.ts')).toBe(generateResourceTypes());
  expect(committed('resources.ts')).toBe(generateResources());
  expect(committed('groups.ts')).toBe(generateGroups());
  expect(types).toBe(generateTypes());
  expect(generateTypes()).toBe(generateTypes());
});

test('the table has exactly the operations of the contract', () => {
  expect(routes.map(({ id }) => id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

const returnsTokens: readonly string[] = [
  'auth.login',
  'auth.loginWithPasskey',
  'auth.exchange',
  'auth.exchangeWithSecondFactor',
  'auth.refresh',
];

test.each(operations)(
  '$id has the method, the path and the flags of the contract',
  ({ id, endpoint }) => {
    const { group, name, method, path, flags = '' } = routes.find((route) => route.id === id) ?? {};
    const { access, success } = endpoint.metadata;
    expect(`${group}.${name}`).toBe(id);
    expect([method, path]).toEqual([endpoint.method, endpoint.path]);
    expect(/[bo]/.test(flags)).toBe(access.kind !== 'public' && access.kind !== 'share');
    expect(flags.includes('o')).toBe('x-organization-id' in endpoint.headers);
    expect(flags.includes('i')).toBe('idempotency-key' in endpoint.headers);
    expect(flags.includes('l')).toBe(String(success.data?.meta()?.id).endsWith('Page'));
    expect(flags.includes('t')).toBe(returnsTokens.includes(id));
    expect(flags.includes('r')).toBe(success.status === 302);
    expect(flags.includes('x')).toBe(id === 'auth.logout');
  },
);

test.each(operations)(
  '$id takes the options that the contract has headers for',
  ({ id, endpoint }) => {
    const block = types.slice(types.indexOf(`\n  '${id}': {`));
    const options = /\n {4}options: (\w+);/.exec(block)?.[1];
    expect(options === 'IdempotentOptions').toBe('idempotency-key' in endpoint.headers);
    expect(options === 'ConditionalOptions').toBe('if-match' in endpoint.headers);
  },
);

const aliases = new Map(
  [...types.matchAll(/^export type (\w+Error) =([^;]+);/gm)].map(([, name = '', body = '']) => [
    name,
    [...body.matchAll(/'(\w+)'/g)].map(([, code]) => code),
  ]),
);

test.each(operations)('$id has the error codes of the contract', ({ id, endpoint }) => {
  const block = types.slice(types.indexOf(`\n  '${id}': {`));
  const printed = /\n {4}errors: ([^;]+);/.exec(block)?.[1]?.split(' | ') ?? [];
  const codes = printed.flatMap((name) => aliases.get(name) ?? [name.replaceAll("'", '')]);
  expect(codes.toSorted()).toEqual(endpoint.metadata.errors.toSorted());
});

test('every code has its status, and those of no operation are general', () => {
  for (const [code, { status }] of Object.entries(errorCatalogue)) {
    expect(types).toContain(`  ${code}: ${status};\n`);
  }
  const declared = new Set<string>(operations.flatMap(({ endpoint }) => endpoint.metadata.errors));
  const general = Object.keys(errorCatalogue).filter((code) => !declared.has(code));
  expect(aliases.get('GeneralError')).toEqual(general);
});

test('only deprecated operations are marked as deprecated', () => {
  const madeUp = endpoint({
    method: 'GET',
    path: '/api/made-up',
    summary: 'Made up',
    access: { kind: 'public' },
    success: ok('Found', z.object({})),
    deprecated: { since: '2027-01-31', use: 'tasks.list' },
  });
  expect(printDoc(madeUp)).toContain('\n * @deprecated Since 2027-01-31; use `tasks.list`.\n');
  for (const { endpoint: declared } of operations) {
    expect(printDoc(declared).includes('@deprecated')).toBe(declared.metadata.deprecated !== null);
  }
});
