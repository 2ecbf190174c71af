import type { Check } from '../check.ts';
import { arrivalMs } from '../eventually.ts';
import { untilNotified } from '../notified.ts';
import type { Probe } from '../probe.ts';

const inbox: Check = {
  id: 'notification.inbox',
  group: 'notifications',
  title: 'what concerns a member arrives once, and is read up to what was shown',
  run: async ({ probe, fixtures: { owner, viewer, team } }) => {
    const rule = 'notification.inbox';
    const inTeam = { token: owner.token, organizationId: team.id };
    const { id: projectId } = await probe.succeed('projects.create', {
      ...inTeam,
      body: { name: 'Notifications' },
    });
    const { id } = await probe.succeed('tasks.create', {
      ...inTeam,
      params: { projectId },
      body: { title: 'Write the imprint', assigneeIds: [viewer.id] },
    });
    const { token } = viewer;
    const assigned = await arrived(probe, token, (item) => item.subject.id === id);
    const own = { token, params: { id: assigned?.id ?? '' } };
    const change = (body: object) => probe.request('notifications.update', { ...own, body });
    const stale = { headers: { 'if-match': '"another"' }, body: { isRead: true } };
    const unseen = await probe.request('notifications.update', { ...own, ...stale });
    probe.expectRefusal(rule, unseen, 'precondition_failed');
    const put = await change({ snoozeMinutes: 60 });
    probe.expectFields({
      rule,
      response: put,
      actual: probe.dataIn('notifications.update', put),
      expected: { reason: 'assigned', eventCount: 1, isRead: false, isSnoozed: true },
    });
    await change({ snoozeMinutes: null });
    const others = await probe.request('notifications.update', {
      token: owner.token,
      params: own.params,
      body: { isRead: true },
    });
    probe.expectRefusal(rule, others, 'not_found');
    const inbox = { token, body: { upTo: assigned?.sequence ?? 1, organizationId: team.id } };
    await probe.succeed('notifications.read', inbox);
    await probe.succeed('notifications.archive', inbox);
    const after = await probe.request('notifications.update', { ...own, body: {} });
    probe.expectFields({
      rule,
      response: after,
      actual: probe.dataIn('notifications.update', after),
      expected: { isRead: true, isArchived: true },
    });
    await probe.succeed('tasks.remove', { ...inTeam, params: { id } });
    probe.expectRefusal(rule, await change({ isRead: false }), 'not_found');
  },
};

type Arrives = Parameters<typeof untilNotified>[2];

/** Requires a notification. */
async function arrived(probe: Probe, token: string, fits: Arrives) {
  const { item, response } = await untilNotified(probe, token, fits);
  if (!item) {
    probe.expect({
      rule: 'notification.inbox',
      response,
      holds: false,
      expected: `a notification within ${arrivalMs / 1_000} s`,
    });
  }
  return item;
}

const following: Check = {
  id: 'notification.following',
  group: 'notifications',
  title: 'a task is followed by its creator, and by hand, both ways',
  run: async ({ probe, fixtures: { owner, viewer, team } }) => {
    const rule = 'notification.following';
    const inTeam = { token: owner.token, organizationId: team.id };
    const { id: projectId } = await probe.succeed('projects.create', {
      ...inTeam,
      body: { name: 'Following' },
    });
    const { id } = await probe.succeed('tasks.create', {
      ...inTeam,
      params: { projectId },
      body: { title: 'Write the imprint' },
    });
    const asViewer = { token: viewer.token, organizationId: team.id, params: { id } };
    for (const [operation, expected] of [
      ['notifications.following', { isFollowing: false, followerCount: 1 }],
      ['notifications.follow', { isFollowing: true, followerCount: 2 }],
      ['notifications.unfollow', { isFollowing: false, followerCount: 1 }],
    ] as const) {
      const response = await probe.request(operation, asViewer);
      probe.expectFields({
        rule,
        response,
        actual: probe.dataIn(operation, response),
        expected,
      });
    }
    const outside = await probe.request('notifications.follow', {
      token: viewer.token,
      params: { id },
    });
    probe.expectRefusal(rule, outside, 'not_found');
  },
};

const preferences: Check = {
  id: 'notification.preferences',
  group: 'notifications',
  title: 'preferences are set as a whole, and mails end with a token only',
  run: async ({ probe, fixtures: { viewer } }) => {
    const rule = 'notification.preferences';
    const { token } = viewer;
    const before = await probe.succeed('notifications.preferences', { token });
    const { reasons, ...rest } = before;
    const set = (body: object, headers: Record<string, string> = {}) =>
      probe.request('notifications.setPreferences', { token, body, headers });
    const stale = await set({ reasons, ...rest }, { 'if-match': '"another"' });
    probe.expectRefusal(rule, stale, 'precondition_failed');
    const unsafe = await set({ ...rest, reasons: { security: { inbox: false, mail: 'OFF' } } });
    probe.expectRefusal(rule, unsafe, 'validation_failed');
    const partial = await set({ ...rest, reasons: { commented: { inbox: true, mail: 'OFF' } } });
    const { commented, security } = probe.dataIn('notifications.setPreferences', partial).reasons;
    probe.expectFields({
      rule,
      response: partial,
      actual: { commented: commented.mail, security: security.mail },
      expected: { commented: 'OFF', security: 'INSTANT' },
    });
    const rubbish = { query: { token: 'rubbish' } };
    await probe.succeed('notifications.unsubscribe', rubbish);
    await set({ reasons, ...rest });
  },
};

export const notificationScenarios: readonly Check[] = [inbox, following, preferences];
