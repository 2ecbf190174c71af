import { operations, type ConfirmationNeed, type OperationId, type Role } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { invitations, memberships, users } from '../db/generated/schema.ts';
import { logIn, newUser, type TestUser } from '../testing/accounts.ts';
import { call, someEmail } from '../testing/api.ts';
import { exampleInputOf } from '../testing/example-inputs.ts';
import { filledTeam } from '../testing/filled-team.ts';
import { fingerprintsOf } from '../testing/fingerprints.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';
import { findInputs } from './fixtures.ts';

const api = await setUpApi();
let owner: TestUser;
let administrator: TestUser;
let teamId: string;

beforeAll(async () => {
  owner = await newUser(api);
  administrator = await newUser(api);
  const isAdministrator = eq(users.id, administrator.id);
  await api.db.update(users).set({ platformRole: 'ADMIN' }).where(isAdministrator);
  teamId = (await newTeam(api, owner)).id;
});

/** A new session of which only a refresh is recent. */
async function unconfirmed(user: TestUser): Promise<string> {
  const { refreshToken } = await logIn(api, user);
  api.clock.advance({ seconds: 600 });
  const { body } = await call(api, 'auth.refresh', { body: { refreshToken } });
  return body.data.token;
}

const confirm = (token: string, { password }: TestUser) =>
  call(api, 'auth.confirm', { token, body: { password } });

const withNeed = (need: ConfirmationNeed) =>
  operations.filter(({ endpoint }) => endpoint.metadata.confirmation === need);

const refusals = ['unauthenticated', 'permission_denied', 'confirmation_required'];

test.each(withNeed(true))('$id asks for a recent confirmation', async (operation) => {
  const ask = (token: string) =>
    call(api, operation.id, { ...exampleInputOf(operation, teamId), token });
  const { token: recent } = await logIn(api, owner);
  expect([operation.id, ...refusals]).not.toContain((await ask(recent)).body.code);
  const token = await unconfirmed(owner);
  for (const { status, body } of [await ask(recent), await ask(token)]) {
    expect([status, body.code]).toEqual([403, 'confirmation_required']);
  }
  await confirm(token, owner);
  expect([operation.id, ...refusals]).not.toContain((await ask(token)).body.code);
});

test('nothing that asks for a confirmation changes anything without, not even with ids of its owner', async () => {
  const [holder, member] = [await newUser(api), await newUser(api)];
  const team = await filledTeam(api, { owner: holder, member, mark: 'Unconfirmed', times: 2 });
  const token = await unconfirmed(holder);
  const before = await fingerprintsOf(api);
  const asked = new Set<string>();
  for (const { id } of withNeed(true)) {
    for (const input of findInputs(id, team) ?? []) {
      const { organizationId } = team;
      const { status, body } = await call(api, id, { ...input, organizationId, token });
      expect([id, status, body.code]).toEqual([id, 403, 'confirmation_required']);
      asked.add(id);
    }
  }
  expect(asked.size).toBeGreaterThan(8);
  expect(await fingerprintsOf(api)).toEqual(before);
});

describe('administrators of the platform', () => {
  test.each(withNeed('as-platform-administrator'))('confirm before $id', async (operation) => {
    const { organizationId: _, ...input } = exampleInputOf(operation, teamId);
    const token = await unconfirmed(administrator);
    const ask = async (selected: { organizationId?: string }) => {
      const { status, body } = await call(api, operation.id, { ...input, ...selected, token });
      return [status, body?.code];
    };
    const inTeam = { organizationId: teamId };
    const refused = [403, 'confirmation_required'];
    expect([await ask({}), await ask(inTeam)]).toEqual([refused, refused]);
    await confirm(token, administrator);
    expect([await ask({}), await ask(inTeam)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });

  test.each(withNeed('as-platform-administrator'))(
    'need not in their own team for $id, nor does who leads it',
    async (operation) => {
      const own = (await newTeam(api, administrator)).id;
      await joinTeam(api, own, owner, 'ADMIN');
      for (const user of [administrator, owner]) {
        const input = exampleInputOf(operation, own);
        const { status } = await call(api, operation.id, {
          ...input,
          token: await unconfirmed(user),
        });
        expect(status).toBe(200);
      }
    },
  );
});

/** Requests of an owner that give or take ownership, or don't. */
type Requests = Readonly<
  Record<'ofOwnership' | 'ofNone', readonly ((team: Team, token: string) => Promise<Outcome>)[]>
>;
interface Outcome {
  readonly status: number;
  readonly body: { readonly code?: string };
}
interface Team {
  readonly id: string;
  readonly otherOwnerId: string;
  readonly memberId: string;
}

const change = (of: 'otherOwnerId' | 'memberId', role: Role) => (team: Team, token: string) =>
  call(api, 'organizations.updateMember', {
    token,
    params: { id: team.id, memberId: team[of] },
    body: { role },
  });
const remove = (of: 'otherOwnerId' | 'memberId') => (team: Team, token: string) =>
  call(api, 'organizations.removeMember', { token, params: { id: team.id, memberId: team[of] } });
const invite = (role: Role) => (team: Team, token: string) =>
  call(api, 'organizations.invite', {
    token,
    params: { id: team.id },
    body: { email: someEmail(), role },
  });

/** An operation for ownership without requests here fails the first test. */
const requests: Partial<Record<OperationId, Requests>> = {
  'organizations.updateMember': {
    ofOwnership: [change('memberId', 'OWNER'), change('otherOwnerId', 'MEMBER')],
    ofNone: [change('memberId', 'ADMIN')],
  },
  'organizations.removeMember': {
    ofOwnership: [remove('otherOwnerId')],
    ofNone: [remove('memberId')],
  },
  'organizations.invite': { ofOwnership: [invite('OWNER')], ofNone: [invite('ADMIN')] },
};

describe('giving or taking ownership', () => {
  test('has requests for each operation', () => {
    const ids = withNeed('for-ownership').map(({ id }) => id);
    expect(Object.keys(requests).toSorted()).toEqual(ids.toSorted());
  });

  test.each(Object.entries(requests))(
    'by %s asks for a recent confirmation and changes nothing without',
    async (_id, { ofOwnership, ofNone }) => {
      const { id } = await newTeam(api, owner);
      const [other, member] = [await newUser(api), await newUser(api)];
      const team = {
        id,
        otherOwnerId: (await joinTeam(api, id, other, 'OWNER')).memberId,
        memberId: (await joinTeam(api, id, member, 'MEMBER')).memberId,
      };
      const token = await unconfirmed(owner);
      const before = await standingIn(id);
      for (const ask of ofOwnership) {
        const { status, body } = await ask(team, token);
        expect([status, body.code]).toEqual([403, 'confirmation_required']);
      }
      expect(await standingIn(id)).toEqual(before);
      for (const ask of ofNone) expect((await ask(team, token)).status).toBeLessThan(300);
      await confirm(token, owner);
      const again = ofOwnership.filter((ask) => ofNone.every((other) => other !== ask));
      for (const ask of again)
        expect((await ask(team, token)).body.code).not.toBe('confirmation_required');
    },
  );

  test('succeeds after the confirmation also under the key of the refused request', async () => {
    const { id } = await newTeam(api, owner);
    const token = await unconfirmed(owner);
    const ask = () =>
      call(api, 'organizations.invite', {
        token,
        params: { id },
        body: { email: 'next-owner@example.com', role: 'OWNER' },
        headers: { 'idempotency-key': 'one key' },
      });
    const refused = await ask();
    expect([refused.status, refused.body.code]).toEqual([403, 'confirmation_required']);
    await confirm(token, owner);
    const invited = await ask();
    expect([invited.status, invited.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const repeated = await ask();
    expect(repeated.text).toBe(invited.text);
    expect((await standingIn(id)).invitations).toBe(1);
  });

  test('is refused to those who may not, confirmed or not', async () => {
    const { id } = await newTeam(api, owner);
    const [admin, member] = [await newUser(api), await newUser(api)];
    await joinTeam(api, id, admin, 'ADMIN');
    const { memberId } = await joinTeam(api, id, member, 'MEMBER');
    const token = await unconfirmed(admin);
    const { status, body } = await change('memberId', 'OWNER')(
      { id, memberId, otherOwnerId: '' },
      token,
    );
    expect([status, body.code]).toEqual([403, 'permission_denied']);
  });
});

async function standingIn(organizationId: string) {
  const columns = { id: memberships.id, role: memberships.role, status: memberships.status };
  const inTeam = eq(memberships.organizationId, organizationId);
  return {
    members: await api.db.select(columns).from(memberships).where(inTeam).orderBy(memberships.id),
    invitations: await api.db.$count(invitations, eq(invitations.organizationId, organizationId)),
  };
}
