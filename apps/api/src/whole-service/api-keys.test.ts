// @module-tag slow

import {
  operations,
  scopePresets,
  scopes,
  type ErrorCode,
  type Operation,
  type Scope,
} from '@atelier/contract';
import { getTableColumns } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKeyOrganizations, apiKeys } from '../db/generated/schema.ts';
import { issueApiKey } from '../kernel/api-keys.ts';
import { newId } from '../kernel/ids.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { exampleInputOf } from '../testing/example-inputs.ts';
import { fingerprintsOf } from '../testing/fingerprints.ts';
import { filledTeam } from '../testing/filled-team.ts';
import { untilIdle } from '../testing/library.ts';
import { newTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';
import { findInputs } from './fixtures.ts';

const api = await setUpApi();
let owner: TestUser;
let teamId: string;
let otherTeamId: string;

beforeAll(async () => {
  owner = await newUser(api);
  teamId = (await newTeam(api, owner)).id;
  otherTeamId = (await newTeam(api, owner)).id;
});

/** Stores a key, of the owner by default, as no operation may. */
async function keyWith(
  allowed: readonly Scope[],
  reached = [teamId],
  holder = owner,
): Promise<string> {
  const { key, ...issued } = issueApiKey('PERSONAL');
  const id = newId();
  const createdAt = api.clock.now();
  const row = { ...issued, id, userId: holder.id, name: 'Test', scopes: [...allowed], createdAt };
  await api.db.insert(apiKeys).values(row);
  const rows = reached.map((organizationId) => ({ organizationId, apiKeyId: id }));
  await api.db.insert(apiKeyOrganizations).values(rows);
  return key;
}

const ask = (operation: Operation, token: string) =>
  call(api, operation.id, { ...exampleInputOf(operation, teamId), token });

const refusals: readonly ErrorCode[] = [
  'unauthenticated',
  'organization_required',
  'organization_access_denied',
  'permission_denied',
  'not_admin',
  'scope_missing',
  'key_refused',
  'confirmation_required',
];

const authenticated = operations.filter(({ endpoint }) => endpoint.metadata.keys !== null);
const usesOf = (use: string) =>
  authenticated.filter(({ endpoint }) => endpoint.metadata.keys === use);

test('every scope opens an operation, and every operation has a decision', () => {
  expect(scopes.filter((scope) => usesOf(scope).length === 0)).toEqual([]);
  const decided = [...scopes, 'any', 'refused'].flatMap(usesOf);
  expect(decided).toHaveLength(authenticated.length);
});

describe.each(scopes)('the scope %s', (scope) => {
  test('alone is enough for its operations, and all others are not', async () => {
    const [exact, others] = await Promise.all([
      keyWith([scope]),
      keyWith(scopes.filter((other) => other !== scope)),
    ]);
    for (const operation of usesOf(scope)) {
      const refused = await ask(operation, others);
      expect([operation.id, refused.status, refused.body.code]).toEqual([
        operation.id,
        403,
        'scope_missing',
      ]);
      expect(refused.body.message).toContain(scope);
      expect(refused.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="${scope}"`,
      );
      // Its response doesn't end; the tests of the keys open one.
      if (operation.endpoint.metadata.success.isStream) continue;
      const allowed = await ask(operation, exact);
      expect([operation.id, ...refusals]).not.toContain(allowed.body?.code);
      expect(allowed.status).toBeLessThan(500);
    }
  });
});

const reading: ReadonlySet<unknown> = new Set(scopePresets['read-only']);

test('a key that only reads is refused by all that changes', async () => {
  const key = await keyWith(scopePresets['read-only']);
  for (const operation of authenticated) {
    const { keys } = operation.endpoint.metadata;
    if (keys === 'refused' || keys === 'any' || reading.has(keys)) continue;
    const { status, body } = await ask(operation, key);
    expect([operation.id, status, body.code]).toEqual([operation.id, 403, 'scope_missing']);
    expect(body.message).toContain(keys);
  }
});

test('a key that only reads shows all that its owner may see', async () => {
  const [reader, member] = [await newUser(api), await newUser(api)];
  const team = await filledTeam(api, { owner: reader, member, mark: 'Reading', times: 2 });
  const key = await keyWith(scopePresets['read-only'], [team.organizationId], reader);
  const reads = authenticated.filter(
    ({ endpoint: { metadata } }) => metadata.keys?.endsWith(':read') && !metadata.success.isStream,
  );
  for (const { id, endpoint } of reads) {
    const { effect, success } = endpoint.metadata;
    expect([id, effect]).toEqual([id, 'read']);
    const { organizationId } = team;
    for (const input of findInputs(id, team) ?? []) {
      const { status } = await call(api, id, { ...input, organizationId, token: key });
      expect([id, status]).toEqual([id, success.status]);
    }
  }
});

test.each(usesOf('refused'))('$id refuses a key with every scope', async (operation) => {
  const response = await ask(operation, await keyWith(scopes));
  expect([response.status, response.body.code]).toEqual([403, 'key_refused']);
});

test('what refuses keys changes nothing for one with every scope, not even with ids of its owner', async () => {
  const [holder, member] = [await newUser(api), await newUser(api)];
  const team = await filledTeam(api, { owner: holder, member, mark: 'Refusing', times: 2 });
  const token = await keyWith(scopes, [team.organizationId], holder);
  const { organizationId } = team;
  await untilIdle(api);
  const before = await stored();
  for (const { id } of usesOf('refused')) {
    for (const input of findInputs(id, team) ?? []) {
      const { status, body } = await call(api, id, { ...input, organizationId, token });
      expect([id, status, body.code]).toEqual([id, 403, 'key_refused']);
    }
  }
  await untilIdle(api);
  expect(await stored()).toEqual(before);
});

/** All rows, but when keys were last used. */
async function stored() {
  const {
    lastUsedAt: _at,
    lastUsedIp: _ip,
    networks: _networks,
    ...kept
  } = getTableColumns(apiKeys);
  const { api_keys: _keys, ...hashes } = await fingerprintsOf(api);
  return { hashes, keys: await api.db.select(kept).from(apiKeys).orderBy(apiKeys.id) };
}

// A request for an approval needs the scope of its tool: features/approvals/approvals.test.ts.
const forAnyKey = usesOf('any').filter(({ id }) => id !== 'approvals.request');

test.each(forAnyKey)('$id takes a key with any scope', async (operation) => {
  const response = await ask(operation, await keyWith(['label:read']));
  expect(response.status).toBe(operation.endpoint.metadata.success.status);
});

test('a key for several organizations has to name the one that it means', async () => {
  const key = await keyWith(scopes, [teamId, otherTeamId]);
  const byHeader = authenticated.filter(
    ({ endpoint: { metadata } }) =>
      metadata.keys !== 'refused' && metadata.errors.includes('organization_required'),
  );
  for (const operation of byHeader) {
    const { organizationId: _, ...input } = exampleInputOf(operation, teamId);
    const { status, body } = await call(api, operation.id, { ...input, token: key });
    expect([operation.id, status, body.code]).toEqual([operation.id, 400, 'organization_required']);
  }
});
