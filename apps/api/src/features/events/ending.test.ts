// @module-tag slow

import { describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { memberships, organizations } from '../../db/generated/schema.ts';
import { newUser, logIn, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi } from '../../testing/api.ts';
import { recordChange } from '../../testing/changes.ts';
import { openStream } from '../../testing/event-streams.ts';
import { operate } from '../../testing/operator.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { enrol } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

/** A second process on the same database. */
const api = await setUpApi();
const other = await setUpApi({}, { databaseUrl: api.config.DATABASE_URL });
const owner = await newUser(api);

const teamOf = async (user: TestUser = owner) => (await newTeam(api, user)).id;

describe('a stream ends', () => {
  test('with its access token', async () => {
    const user = await newUser(api);
    const stream = await openStream(api, { token: user.token });
    api.clock.advance({ seconds: 15 * 60 });
    expect(await stream.closed()).toBe('token_expired');
    api.clock.advance({ seconds: -15 * 60 });
  });

  test.each([
    [
      'a logout',
      (user: TestUser) => call(other, 'auth.logout', { body: { refreshToken: user.refreshToken } }),
    ],
    [
      'a session that is sent away',
      async (user: TestUser) => {
        const elsewhere = await logIn(other, user);
        await call(other, 'sessions.endOthers', { token: elsewhere.token });
      },
    ],
    [
      'a refresh token that is presented twice',
      async (user: TestUser) => {
        const body = { refreshToken: user.refreshToken };
        await call(other, 'auth.refresh', { body });
        other.clock.advance({ seconds: 3600 });
        await call(other, 'auth.refresh', { body });
        other.clock.advance({ seconds: -3600 });
      },
    ],
  ])('on %s at another process, without a wait for the next look', async (_, endSession) => {
    const user = await newUser(api);
    // What streams look for from time to time, they never do.
    api.clock.stand();
    const stream = await openStream(api, { token: user.token });
    await endSession(user);
    expect(await stream.closed()).toBe('session_ended');
  });

  test('with the membership, before the next change is shown', async () => {
    const team = await teamOf();
    const member = await newUser(api);
    const { memberId } = await joinTeam(api, team, member, 'MEMBER');
    const options = { token: member.token, organizationId: team };
    const stream = await openStream(api, options);
    await other.db.transaction(async (tx) => {
      await tx.update(memberships).set({ status: 'SUSPENDED' }).where(eq(memberships.id, memberId));
      await recordChange(tx, team, { resourceName: 'beside it' });
      await recordChange(tx, team, { action: 'member.update', resourceType: 'member' });
    });
    await recordChange(api.db, team, { resourceName: 'after it' });
    expect(await stream.closed()).toBe('access_ended');
    expect(stream.names()).toEqual([]);
  });

  test('with the membership, also without a notification', async () => {
    const team = await teamOf();
    const member = await newUser(api);
    const { memberId } = await joinTeam(api, team, member, 'MEMBER');
    const stream = await openStream(api, { token: member.token, organizationId: team });
    await api.db.delete(memberships).where(eq(memberships.id, memberId));
    api.clock.advance({ seconds: 10 });
    expect(await stream.closed()).toBe('access_ended');
  });

  test.each([
    ['turned off', (user: TestUser) => call(other, 'security.disableTotp', { token: user.token })],
    [
      'removed by an operator',
      async (user: TestUser) => {
        // The end of an open session would be announced as well.
        await call(other, 'auth.logout', { body: { refreshToken: user.refreshToken } });
        await operate(['reset-second-factor', user.email], {
          DATABASE_URL: other.config.DATABASE_URL,
        });
      },
    ],
  ])(
    'with a required second factor that is %s, without a wait for the next look',
    async (_, remove) => {
      const team = await teamOf();
      const member = await newUser(api);
      await joinTeam(api, team, member, 'MEMBER');
      await enrol(api, member);
      await api.db
        .update(organizations)
        .set({ secondFactorRequiredFrom: api.clock.now() })
        .where(eq(organizations.id, team));
      const made = await call(api, 'apiKeys.create', {
        token: member.token,
        body: { name: 'Live', preset: 'contributor', organizationIds: [team] },
      });
      api.clock.stand();
      const stream = await openStream(api, { token: made.body.data.key, organizationId: team });
      await remove(member);
      expect(await stream.closed()).toBe('access_ended');
    },
  );

  test('never for a new role, which applies from its own change on', async () => {
    const team = await teamOf();
    const member = await newUser(api);
    const { memberId } = await joinTeam(api, team, member, 'ADMIN');
    const stream = await openStream(api, { token: member.token, organizationId: team });
    const setRole = (role: 'VIEWER' | 'ADMIN') =>
      other.db.transaction(async (tx) => {
        await tx.update(memberships).set({ role }).where(eq(memberships.id, memberId));
        await recordChange(tx, team, {
          action: 'member.update',
          resourceType: 'member',
          resourceName: role,
        });
      });
    const invite = (resourceName: string) =>
      recordChange(api.db, team, {
        action: 'invitation.create',
        resourceType: 'invitation',
        resourceName,
      });
    await setRole('VIEWER');
    await invite('to a viewer');
    await setRole('ADMIN');
    await stream.find(
      (message) => message.event === 'activity' && message.data.resourceName === 'ADMIN',
    );
    await stream.change(await invite('to an admin'));
    expect(stream.names().filter((name) => name !== 'to a viewer')).toEqual([
      'VIEWER',
      'ADMIN',
      'to an admin',
    ]);
    stream.leave();
  });

  test('when the process stops, which does not wait for the stream', async () => {
    const third = await startTestApi({}, { databaseUrl: api.config.DATABASE_URL });
    const stream = await openStream(third, { token: owner.token });
    await third.close();
    expect(await stream.closed()).toBe('shutting_down');
  });
});
