// @module-tag slow

import {
  permissionMatrix,
  type ErrorCode,
  type Operation,
  type OperationId,
  type Role,
} from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../db/executor.ts';
import { memberships } from '../db/generated/schema.ts';
import { endAllSessions, lockAccount } from '../domain/account-sessions/queries.ts';
import { lockMemberChanges, lockMemberExclusively } from '../domain/authority/queries.ts';
import { newId } from '../kernel/ids.ts';
import { newUser, nextMail, tokenIn, type TestUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { countWaiting, untilWaiting } from '../testing/crowd.ts';
import { filledTeam, storedAvatar, type FilledTeam } from '../testing/filled-team.ts';
import { fingerprintsOf } from '../testing/fingerprints.ts';
import { invite } from '../testing/invitations.ts';
import { readyUpload, untilIdle } from '../testing/library.ts';
import type { Input } from '../testing/feature-fixtures.ts';
import { inputsOf, operationsOfAccounts } from './fixtures.ts';
import { operate } from '../testing/operator.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';
import { beginSlowly, type SlowRequest } from '../testing/slow-requests.ts';

let team: FilledTeam;

// The first ones wait until the last one does, however slow the machine is.
const api = await setUpApi({
  DATABASE_LOCK_TIMEOUT_MS: '60000',
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
});
const owner = await newUser(api, 'owner');
beforeAll(async () => {
  const member = await newUser(api, 'member');
  team = await filledTeam(api, { owner, member, mark: 'Authority', times: 2 });
});

/** Every mutation of an account. */
const mutations = operationsOfAccounts.filter(({ endpoint }) => endpoint.method !== 'GET');

/** An owner of the team whose authority is about to end, with the inputs that only they can use. */
interface Person {
  readonly user: TestUser;
  readonly memberId: string;
  readonly own: Partial<Record<OperationId, Input>>;
}

async function newPerson(): Promise<Person> {
  const user = await newUser(api, 'person');
  const { memberId } = await joinTeam(api, team.organizationId, user, 'OWNER');
  const { collectionId, organizationId } = team;
  const [ready, abortable] = [
    await readyUpload(api, user, { collectionId, organizationId }),
    await readyUpload(api, user, { collectionId, organizationId }),
  ];
  const { uploadId, key } = abortable.body;
  const { id: teamId } = await newTeam(api, owner);
  const { token } = await invite(api, owner, { teamId, email: user.email, mails: 2 });
  const own: Person['own'] = {
    'uploads.complete': { body: ready.body },
    'uploads.abort': { body: { uploadId, key } },
    'organizations.acceptInvitation': { params: { token } },
    'account.requestDeletion': { body: { confirmation: user.email } },
    'profile.completeAvatarUpload': { body: { key: await storedAvatar(api, user) } },
  };
  await untilIdle(api);
  return { user, memberId, own };
}

/** One way in which authority ends. */
interface Ending {
  /** Through the service, by the user, an owner or the operator. */
  readonly end: (person: Person) => Promise<unknown>;
  /** The same within a transaction: first its locks, then the change. */
  readonly lock: (tx: Transaction, person: Person) => Promise<unknown>;
  readonly change: (tx: Transaction, person: Person) => Promise<unknown>;
  /** The error of a mutation from then on; null if it doesn't need the ended authority. */
  readonly refusalOf: (mutation: Operation) => ErrorCode | null;
}

const endOfSessions = {
  lock: (tx: Transaction, { user }: Person) => lockAccount(tx, user.id),
  change: (tx: Transaction, { user }: Person) => endAllSessions(tx, user.id, api.clock.now()),
  refusalOf: () => 'unauthenticated' as const,
};

async function lockMember(tx: Transaction, { memberId }: Pick<Person, 'memberId'>): Promise<void> {
  await lockMemberChanges(tx, team.organizationId);
  await lockMemberExclusively(tx, { organizationId: team.organizationId, id: memberId });
}

function changeOfMember(role: Role): Ending {
  return {
    end: async ({ memberId }) => {
      const params = { id: team.organizationId, memberId };
      const response = await call(api, 'organizations.updateMember', {
        token: owner.token,
        params,
        body: { role },
      });
      expect(response.status).toBe(200);
    },
    lock: lockMember,
    change: (tx, { memberId }) =>
      tx.update(memberships).set({ role }).where(eq(memberships.id, memberId)),
    refusalOf: ({ id, endpoint: { metadata } }) => {
      const { access } = metadata;
      if (access.kind !== 'member') return null;
      const reach = permissionMatrix[access.permission][role];
      // The only record of this user, and a bin of their own files; all others belong to the owner.
      const isOwn = reach === 'own' && ['uploads.abort', 'assets.emptyBin'].includes(id);
      return reach === 'any' || isOwn ? null : 'permission_denied';
    },
  };
}

const endings: Record<string, Ending> = {
  logout: {
    ...endOfSessions,
    end: async ({ user: { refreshToken } }) => {
      expect((await call(api, 'auth.logout', { body: { refreshToken } })).status).toBe(200);
    },
  },
  'a password reset': {
    ...endOfSessions,
    end: async ({ user: { email } }) => {
      await call(api, 'auth.requestPasswordReset', { body: { email } });
      const token = tokenIn(await nextMail(email, 3));
      const body = { token, password: 'another horse battery' };
      expect((await call(api, 'auth.resetPassword', { body })).status).toBe(200);
    },
  },
  'suspension of the account': {
    ...endOfSessions,
    end: async ({ user: { email } }) => {
      const { exitCode } = await operate(['suspend', email], {
        DATABASE_URL: api.config.DATABASE_URL,
      });
      expect(exitCode).toBe(0);
    },
  },
  removal: {
    end: async ({ memberId }) => {
      const params = { id: team.organizationId, memberId };
      const removed = await call(api, 'organizations.removeMember', {
        token: owner.token,
        params,
      });
      expect(removed.status).toBe(200);
    },
    lock: lockMember,
    change: (tx, { memberId }) => tx.delete(memberships).where(eq(memberships.id, memberId)),
    refusalOf: ({ endpoint: { metadata } }) => {
      const { access } = metadata;
      if (access.kind !== 'member') return null;
      return access.organizationFrom === 'path' ? 'not_found' : 'organization_access_denied';
    },
  },
  'demotion to VIEWER': changeOfMember('VIEWER'),
  'demotion to MEMBER': changeOfMember('MEMBER'),
};

/** Every mutation that an ending refuses, with and without a key if it takes one. */
function refusedCalls({ refusalOf }: Ending, { user, own }: Person) {
  return mutations.flatMap((mutation) => {
    const { id, endpoint } = mutation;
    const expected = refusalOf(mutation);
    if (expected === null) return [];
    const inputs = own[id] ? [own[id]] : inputsOf(id, team);
    const isNamed = endpoint.metadata.access.kind === 'member';
    const options = { token: user.token, ...(isNamed && { organizationId: team.organizationId }) };
    return inputs.flatMap((input) => {
      const keys = endpoint.metadata.idempotent ? [{}, { 'idempotency-key': newId() }] : [{}];
      return keys.map((headers) => ({ id, expected, options: { ...options, ...input, headers } }));
    });
  });
}

/** Waits until the service has let in all started requests. */
async function untilAdmitted(begun: readonly SlowRequest[]): Promise<void> {
  await Promise.all(begun.map(({ admitted }) => admitted));
  await expect.poll(() => api.deps.databaseLoad().underWay).toBe(0);
}

describe.each(Object.entries(endings))('%s', (_, ending) => {
  test('is not outlived by any mutation whose body arrives slowly', async () => {
    const person = await newPerson();
    const calls = refusedCalls(ending, person);
    const begun = calls.map(({ id, options }) => beginSlowly(api, id, options));
    await untilAdmitted(begun);
    await ending.end(person);
    const before = await fingerprintsOf(api);
    const responses = await Promise.all(begun.map((slow) => slow.finish()));
    expect(calls.map(({ id }, index) => [id, responses[index]?.code])).toEqual(
      calls.map(({ id, expected }) => [id, expected]),
    );
    expect(await fingerprintsOf(api)).toEqual(before);
  });

  test('wins over every mutation that waits for it', async () => {
    const { length } = refusedCalls(ending, await newPerson());
    for (let from = 0; from < length; from += maxAtOnce) {
      const person = await newPerson();
      const calls = refusedCalls(ending, person).slice(from, from + maxAtOnce);
      const early: (readonly [OperationId, unknown])[] = [];
      const { underWay } = await api.db.transaction(async (tx) => {
        await ending.lock(tx, person);
        const begun = calls.map(async ({ id, options }) => {
          const response = await call(api, id, options);
          early.push([id, response.body]);
          return response;
        });
        const underWay = Promise.all(begun);
        // One that doesn't wait is named at once.
        await expect
          .poll(async () => (await countWaiting(tx)) + early.length, { timeout: 50_000 })
          .toBeGreaterThanOrEqual(calls.length);
        expect(early).toEqual([]);
        await ending.change(tx, person);
        return { underWay };
      });
      const responses = await underWay;
      expect(calls.map(({ id }, index) => [id, responses[index]?.body.code])).toEqual(
        calls.map(({ id, expected }) => [id, expected]),
      );
    }
  }, 300_000);
});

test('a replay is not shown to a session that ended before its body arrived', async () => {
  const { user } = await newPerson();
  const options = {
    token: user.token,
    body: { title: 'Mine' },
    headers: { 'idempotency-key': newId() },
  };
  expect((await call(api, 'collections.create', options)).status).toBe(201);
  const begun = performance.now();
  const slow = beginSlowly(api, 'collections.create', options);
  await untilAdmitted([slow]);
  await call(api, 'auth.logout', { body: { refreshToken: user.refreshToken } });
  await expect.poll(() => performance.now() - begun).toBeGreaterThan(300);
  expect(await slow.finish()).toEqual({ status: 401, code: 'unauthenticated' });
});

test('a refusal for lack of authority is not stored under the idempotency key', async () => {
  const { user, memberId } = await newPerson();
  const options = {
    token: user.token,
    organizationId: team.organizationId,
    body: { title: 'Later' },
    headers: { 'idempotency-key': newId() },
  };
  const { underWay } = await api.db.transaction(async (tx) => {
    await lockMember(tx, { memberId });
    const underWay = call(api, 'collections.create', options);
    await untilWaiting(tx, 1);
    await tx.update(memberships).set({ status: 'SUSPENDED' }).where(eq(memberships.id, memberId));
    return { underWay };
  });
  expect((await underWay).body.code).toBe('organization_access_denied');
  const params = { id: team.organizationId, memberId };
  const reinstated = await call(api, 'organizations.updateMember', {
    token: owner.token,
    params,
    body: { status: 'ACTIVE' },
  });
  expect(reinstated.status).toBe(200);
  expect((await call(api, 'collections.create', options)).status).toBe(201);
});

test('a role change that keeps the right lets the mutation continue with the current role', async () => {
  const { user, memberId } = await newPerson();
  const as = { token: user.token, organizationId: team.organizationId };
  const made = await call(api, 'collections.create', { ...as, body: { title: 'Before' } });
  const rename = (id: string) =>
    call(api, 'collections.rename', { ...as, params: { id }, body: { title: 'After' } });
  const { underWay } = await api.db.transaction(async (tx) => {
    await lockMember(tx, { memberId });
    const underWay = Promise.all([rename(made.body.data.id), rename(team.collectionId)]);
    await untilWaiting(tx, 2);
    await tx.update(memberships).set({ role: 'MEMBER' }).where(eq(memberships.id, memberId));
    return { underWay };
  });
  const [own, others] = await underWay;
  expect([own?.status, own?.body.data.title]).toEqual([200, 'After']);
  expect([others?.status, others?.body.code]).toEqual([403, 'permission_denied']);
});

/** Fewer than there are connections: the test uses one. */
const maxAtOnce = 6;
