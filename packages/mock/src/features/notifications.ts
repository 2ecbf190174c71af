import {
  maxExcerptLength,
  maxUnreadCount,
  newlyMentioned,
  Person,
  settingIn,
  type NotificationReason,
} from '@atelier/contract';
import { membershipOf } from '../state/access.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import { invalidCursor } from '../state/lists.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { idsOf, isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { present } from '../state/present.ts';
import { preferencesOf, setPreferences } from './notification-preferences.ts';
import { allIn } from './teams.ts';

/** Events join the unread notification that began less than this ago. */
const groupedMs = 24 * 60 * 60 * 1000;

interface Concern {
  readonly userId: string;
  readonly reason: NotificationReason;
}

/** Returns what a member has chosen about a task, or what has been stored for them. */
function followOf(state: State, task: Stored, userId: string): Stored | undefined {
  return allIn(state, 'follow', task.organizationId).find(
    ({ ownerId, fields }) => ownerId === userId && fields['taskId'] === task.id,
  );
}

function addFollow(state: State, task: Stored, follow: { userId: string; state: string }): void {
  state.store.add({
    kind: 'follow',
    id: state.newId(),
    organizationId: task.organizationId,
    ownerId: follow.userId,
    fields: { taskId: task.id, state: follow.state },
  });
}

function isFollowing(state: State, task: Stored, userId: string): boolean {
  const follow = followOf(state, task, userId);
  if (follow) return follow.fields['state'] === 'FOLLOWING';
  const hasCommented = allIn(state, 'comment', task.organizationId).some(
    ({ ownerId, fields }) => ownerId === userId && fields['taskId'] === task.id,
  );
  const isAssigned = idsOf(task.fields, 'assigneeIds').includes(userId);
  return task.ownerId === userId || isAssigned || hasCommented;
}

function followersOf(state: State, task: Stored): string[] {
  return allIn(state, 'member', task.organizationId)
    .filter(({ fields }) => fields['status'] === 'ACTIVE')
    .map(({ fields }) => textOf(fields, 'userId'))
    .filter((userId) => isFollowing(state, task, userId));
}

/** Returns the members whom a text newly mentions, except its author. */
function mentionedBy(
  state: State,
  { ownerId, organizationId }: Stored,
  bodies: { readonly before: string; readonly after: string },
): string[] {
  const people = allIn(state, 'member', organizationId)
    .filter(({ fields }) => fields['status'] === 'ACTIVE' && fields['userId'] !== ownerId)
    .flatMap(({ fields }) => state.store.find('user', fields['userId']) ?? [])
    .filter(({ fields }) => fields['accountStatus'] === 'VERIFIED')
    .map(({ id, fields }) => ({
      id,
      email: textOf(fields, 'email'),
      displayName: textOf(fields, 'displayName'),
    }));
  return newlyMentioned(bodies, people);
}

/** Tells whom an activity about a task concerns: a part of what the service knows. */
function concernsOf(state: State, task: Stored, activity: Stored): Concern[] {
  const { fields } = activity;
  const each = (reason: NotificationReason, userIds: readonly string[]) =>
    userIds.map((userId) => ({ userId, reason }));
  const changes = fields['changes'] as readonly { field: string; from: unknown; to: unknown }[];
  switch (fields['action']) {
    case 'task.create':
      return each('assigned', idsOf(task.fields, 'assigneeIds'));
    case 'task.assign': {
      const { from, to } = changes.find(({ field }) => field === 'assigneeIds') ?? {};
      const [before, after] = [idsOf({ from }, 'from'), idsOf({ to }, 'to')];
      return [
        ...each(
          'assigned',
          after.filter((id) => !before.includes(id)),
        ),
        ...each(
          'unassigned',
          before.filter((id) => !after.includes(id)),
        ),
      ];
    }
    case 'task.update':
    case 'task.move':
      return changes.some(({ field }) => field === 'status' || field === 'dueDate')
        ? each('changed', followersOf(state, task))
        : [];
    case 'comment.create': {
      const after = textOf(state.store.find('comment', fields['resourceId'])?.fields, 'body');
      const mentioned = mentionedBy(state, activity, { before: '', after });
      const others = followersOf(state, task).filter((id) => !mentioned.includes(id));
      return [...each('mentioned', mentioned), ...each('commented', others)];
    }
    case 'comment.update': {
      const { from, to } = changes.find(({ field }) => field === 'body') ?? {};
      const bodies = { before: textOf({ from }, 'from'), after: textOf({ to }, 'to') };
      return each('mentioned', mentionedBy(state, activity, bodies));
    }
    default:
      return [];
  }
}

/** Notifies members of each activity from now on. */
export function followForInboxes(state: State): void {
  state.listeners.add((activity) => {
    const { fields, organizationId } = activity;
    const { taskId } = fields['metadata'] as Fields;
    const task = state.store.find('task', taskId ?? fields['resourceId']);
    const organization = state.store.find('organization', organizationId);
    if (!task || organization?.fields['type'] !== 'TEAM') return;
    for (const concern of concernsOf(state, task, activity)) {
      const { userId, reason } = concern;
      if (userId === activity.ownerId) continue;
      if (beginsToFollow(reason) && !followOf(state, task, userId)) {
        addFollow(state, task, { userId, state: 'FOLLOWING' });
      }
      if (!isWanted(state, concern, organization)) continue;
      notify(state, { ...concern, task, activity });
      announceInbox(state, userId);
    }
  });
}

function announceInbox({ inboxListeners }: State, userId: string): void {
  for (const listener of inboxListeners) listener(userId);
}

function isWanted(state: State, { userId, reason }: Concern, organization: Stored): boolean {
  const user = state.store.find('user', userId);
  return user !== undefined && settingIn(preferencesOf(user), reason, organization.id).inbox;
}

/** Also assignees: they may be others later. */
function beginsToFollow(reason: NotificationReason): boolean {
  return reason === 'mentioned' || reason === 'assigned';
}

function notify(
  state: State,
  { userId, reason, task, activity }: Concern & { task: Stored; activity: Stored },
): void {
  const own = state.store.all('notification').filter(({ ownerId }) => ownerId === userId);
  const sequence = 1 + Math.max(0, ...own.map(({ fields }) => Number(fields['sequence'])));
  const at = textOf(activity.fields, 'createdAt');
  const joined = own.find(
    ({ fields }) =>
      Date.parse(at) - Date.parse(textOf(fields, 'createdAt')) < groupedMs &&
      fields['taskId'] === task.id &&
      fields['reason'] === reason &&
      fields['isRead'] === false &&
      fields['isArchived'] === false,
  );
  const isComment = activity.fields['resourceType'] === 'comment';
  const newest: Fields = {
    sequence,
    actor: activity.fields['actor'],
    activityId: activity.id,
    newestCommentId: isComment ? activity.fields['resourceId'] : null,
    updatedAt: at,
  };
  if (joined) {
    const eventCount = Number(joined.fields['eventCount']) + 1;
    Object.assign(joined.fields, newest, { eventCount });
    return;
  }
  state.store.add({
    kind: 'notification',
    id: state.newId(),
    organizationId: task.organizationId,
    ownerId: userId,
    fields: {
      ...newest,
      reason,
      taskId: task.id,
      eventCount: 1,
      isRead: false,
      isArchived: false,
      snoozedUntil: null,
      createdAt: at,
    },
  });
}

function actorOf(actor: unknown, state: State): unknown {
  if (!isRecord(actor)) return null;
  const avatarUrl = state.store.find('user', actor['id'])?.fields['avatarUrl'] ?? null;
  return { ...actor, avatarUrl };
}

function excerptOf(body: string): string {
  const characters = Array.from(body);
  if (characters.length <= maxExcerptLength) return body;
  return `${characters.slice(0, maxExcerptLength - 1).join('')}…`;
}

function isReadable(record: Stored, { state, caller }: Pick<Call, 'state' | 'caller'>): boolean {
  if (record.ownerId !== caller?.id || !record.organizationId) return false;
  const membership = membershipOf(state, record.organizationId, caller.id);
  return (
    membership !== undefined && state.store.find('task', record.fields['taskId']) !== undefined
  );
}

function isSnoozed({ fields }: Stored, state: State): boolean {
  return Date.parse(textOf(fields, 'snoozedUntil')) > state.nowMs();
}

/** The notifications of the inbox of a request. */
function inboxOf(call: Call): Stored[] {
  return call.state.store
    .all('notification')
    .filter(
      (record) =>
        isReadable(record, call) &&
        record.fields['isArchived'] === false &&
        !isSnoozed(record, call.state),
    );
}

export function countUnread(call: Call): Fields {
  const unread = new Map<string, number>();
  for (const { organizationId, fields } of inboxOf(call)) {
    if (fields['isRead'] === true || organizationId === null) continue;
    unread.set(organizationId, (unread.get(organizationId) ?? 0) + 1);
  }
  const capped = (value: number) => Math.min(value, maxUnreadCount);
  return {
    unread: capped([...unread.values()].reduce((sum, value) => sum + value, 0)),
    byOrganization: [...unread]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([organizationId, value]) => ({ organizationId, unread: capped(value) })),
  };
}

function update(call: Call): unknown {
  const record = recordAt(call, 'params.id');
  const { isRead, isArchived, snoozeMinutes } = bodyOf(call);
  const isPutOff = typeof snoozeMinutes === 'number';
  const until = isPutOff ? new Date(call.state.nowMs() + snoozeMinutes * 60_000) : null;
  Object.assign(record.fields, {
    ...((isRead !== undefined || isPutOff) && { isRead: isRead ?? false }),
    ...(isArchived !== undefined && { isArchived }),
    ...(snoozeMinutes !== undefined && { snoozedUntil: until?.toISOString() ?? null }),
  });
  announceInbox(call.state, callerOf(call).id);
  call.activities = [];
  return shown(call, record);
}

function markInbox(call: Call, mark: 'isRead' | 'isArchived'): Fields {
  const { ids, upTo, organizationId, reason } = bodyOf(call);
  const found = inboxOf(call).filter(
    (record) =>
      record.fields[mark] === false &&
      (!Array.isArray(ids) || ids.includes(record.id)) &&
      (upTo === undefined || Number(record.fields['sequence']) <= Number(upTo)) &&
      (organizationId === undefined || record.organizationId === organizationId) &&
      (reason === undefined || record.fields['reason'] === reason),
  );
  for (const { fields } of found) fields[mark] = true;
  announceInbox(call.state, callerOf(call).id);
  call.activities = [];
  return { changedCount: found.length };
}

function following(call: Call): Fields {
  const task = recordAt(call, 'params.id');
  const followers = followersOf(call.state, task);
  return { isFollowing: followers.includes(callerOf(call).id), followerCount: followers.length };
}

function followers(call: Call): unknown {
  const { state, input } = call;
  const all = followersOf(state, recordAt(call, 'params.id')).toSorted();
  const { page = 1, cursor } = input.query;
  const limit = Number(input.query['limit']);
  if (typeof cursor === 'string' && !all.includes(cursor)) {
    throw invalidCursor();
  }
  const start = typeof cursor === 'string' ? all.indexOf(cursor) + 1 : (Number(page) - 1) * limit;
  const shownIds = all.slice(start, start + limit);
  const hasNext = start + limit < all.length;
  const last = shownIds.at(-1);
  const view = { state, callerId: callerOf(call).id };
  return {
    items: shownIds.flatMap((id) => {
      const user = state.store.find('user', id);
      return user ? [present(user, view, Person)] : [];
    }),
    pagination: {
      page: Number(page),
      limit,
      total: all.length,
      totalPages: Math.ceil(all.length / limit),
      hasNext,
      ...(hasNext && last && { nextCursor: last }),
    },
  };
}

function unsubscribe(call: Call): undefined {
  call.activities = [];
  return undefined;
}

function setFollow(call: Call, state: 'FOLLOWING' | 'MUTED'): Fields {
  const task = recordAt(call, 'params.id');
  const userId = callerOf(call).id;
  const known = followOf(call.state, task, userId);
  if (known) known.fields['state'] = state;
  else addFollow(call.state, task, { userId, state });
  call.activities = [];
  return following(call);
}

export const notifications: Feature = {
  operations: {
    'notifications.count': { respond: countUnread },
    'notifications.update': { respond: update },
    'notifications.read': { respond: (call) => markInbox(call, 'isRead') },
    'notifications.archive': { respond: (call) => markInbox(call, 'isArchived') },
    'notifications.following': { respond: following },
    'notifications.follow': { respond: (call) => setFollow(call, 'FOLLOWING') },
    'notifications.unfollow': { respond: (call) => setFollow(call, 'MUTED') },
    'notifications.followers': { respond: followers },
    'notifications.preferences': { respond: (call) => preferencesOf(callerOf(call)) },
    'notifications.setPreferences': { respond: setPreferences },
    // The mock sends no such mails, so no token is right.
    'notifications.unsubscribe': { respond: unsubscribe },
  },
  kinds: {
    notification: {
      isListed: isReadable,
      computed: {
        organization: ({ organizationId }, { state }) => ({
          id: organizationId,
          name: textOf(state.store.find('organization', organizationId)?.fields, 'name'),
        }),
        actor: ({ fields }, { state }) => actorOf(fields['actor'], state),
        guestName: () => null,
        reviewStatus: () => null,
        subject: ({ fields }, { state }) => {
          const task = state.store.find('task', fields['taskId']);
          return {
            type: 'task',
            id: fields['taskId'],
            title: textOf(task?.fields, 'title'),
            link: `/projects/${textOf(task?.fields, 'projectId')}?task=${textOf(fields, 'taskId')}`,
          };
        },
        excerpt: ({ fields }, { state }) => {
          const comment = state.store.find('comment', fields['newestCommentId']);
          return comment ? excerptOf(textOf(comment.fields, 'body')) : null;
        },
        isSnoozed: (record, { state }) => isSnoozed(record, state),
      },
    },
  },
};
