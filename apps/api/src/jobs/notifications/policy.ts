import type { MailSetting, NotificationReason } from '@atelier/contract';
import { dayMs } from '../../kernel/durations.ts';
import type { LogRow } from '../follow/queries.ts';

/** Events of one subject and reason join an unread entry that began within this time, in milliseconds. */
const groupedMs = dayMs;

/** What concerns a person. */
export interface Concern {
  readonly userId: string;
  readonly reason: NotificationReason;
  /** Null: about the organization. */
  readonly taskId: string | null;
  /** An asset, an invitation, a webhook or an API key; null: it is about none. */
  readonly subjectId: string | null;
  readonly commentId: string | null;
  readonly event: ConcernedEvent;
}

/** What happened. */
export interface ConcernedEvent extends Pick<LogRow, 'actor' | 'createdAt'> {
  /** Of its activity; null: it is none, such as a due date that has come. */
  readonly id: string | null;
}

/** An event that the service notices by itself: without an activity and an actor. */
export function serviceEvent(now: Date): ConcernedEvent {
  return { id: null, actor: null, createdAt: now };
}

type ConcernedRow = Pick<
  LogRow,
  'id' | 'action' | 'actor' | 'resourceId' | 'changes' | 'metadata' | 'createdAt'
>;

/** Since when members follow a task or an asset; in the past for those who follow it by hand. */
export type Followers = ReadonlyMap<string, Date>;

const followedChanges: ReadonlySet<string> = new Set(['status', 'dueDate']);

const actions: ReadonlySet<string> = new Set([
  'task.create',
  'task.update',
  'task.move',
  'task.assign',
  'comment.create',
  'comment.update',
  'asset_comment.create',
  'asset_comment.update',
  'asset.change_review',
  'member.update',
  'member.remove',
  'invitation.create',
]);

/** Whether an activity may concern anyone. */
export function mayConcern({ action }: Pick<ConcernedRow, 'action'>): boolean {
  return actions.has(action);
}

/** @returns the task that an activity is about; null if it is about none */
export function taskOf({ action, resourceId, metadata }: ConcernedRow): string | null {
  if (action.startsWith('task.')) return resourceId;
  const taskId = metadata['taskId'];
  return action.startsWith('comment.') && typeof taskId === 'string' ? taskId : null;
}

/** @returns the asset whose comments or review an activity is about; null if it is about none */
export function assetOf({ action, resourceId, metadata }: ConcernedRow): string | null {
  if (action === 'asset.change_review') return resourceId;
  const assetId = metadata['assetId'];
  return action.startsWith('asset_comment.') && typeof assetId === 'string' ? assetId : null;
}

/** The accounts of invited people, by their invitations. */
export type Invited = ReadonlyMap<string, string>;

/** Tells whom an activity concerns, each person once; never the one who did it. */
export function concernsOf(
  row: ConcernedRow,
  { followers, invited }: { followers: Followers; invited: Invited },
): Concern[] {
  const about = {
    taskId: taskOf(row),
    subjectId: row.action === 'invitation.create' ? row.resourceId : assetOf(row),
    commentId: commentOf(row),
    event: row,
  };
  const each = (reason: NotificationReason, userIds: readonly string[]): Concern[] =>
    userIds
      .filter((userId) => userId !== row.actor?.id)
      .map((userId) => ({ userId, reason, ...about }));
  const following = [...followers]
    .filter(([, since]) => since <= row.createdAt)
    .map(([userId]) => userId);
  switch (row.action) {
    case 'task.create':
      return each('assigned', idsIn(row, 'assigneeIds'));
    case 'task.assign':
      return [
        ...each('assigned', idsIn(row, 'added')),
        ...each('unassigned', idsIn(row, 'removed')),
      ];
    case 'task.update':
    case 'task.move':
      return row.changes.some(({ field }) => followedChanges.has(field))
        ? each('changed', following)
        : [];
    case 'asset.change_review':
      // Without a status there is nothing to do or to know.
      return row.changes.some(({ to }) => to !== 'NONE') ? each('changed', following) : [];
    case 'comment.create':
    case 'asset_comment.create': {
      const mentioned = idsIn(row, 'mentionedIds');
      // Who made the share in which a guest comments wants to know it like a follower.
      const told = new Set([...following, ...idsIn(row, 'sharerId')]);
      const others = [...told].filter((userId) => !mentioned.includes(userId));
      return [...each('mentioned', mentioned), ...each('commented', others)];
    }
    case 'comment.update':
    case 'asset_comment.update':
      return each('mentioned', idsIn(row, 'mentionedIds'));
    case 'member.update':
      return row.changes.some(({ field }) => field === 'role')
        ? each('role_changed', idsIn(row, 'userId'))
        : [];
    case 'member.remove':
      return each('removed', idsIn(row, 'userId'));
    case 'invitation.create': {
      const userId = invited.get(row.resourceId);
      return userId === undefined ? [] : each('invited', [userId]);
    }
    default:
      return [];
  }
}

function commentOf({ action, resourceId }: ConcernedRow): string | null {
  return /^(asset_)?comment\./.test(action) ? resourceId : null;
}

function idsIn({ metadata }: ConcernedRow, name: string): string[] {
  const value = metadata[name];
  const values = Array.isArray(value) ? value : [value];
  return [...new Set(values.filter((id) => typeof id === 'string'))];
}

/** What concerns a person, and how they want to be mailed. */
export interface WantedConcern extends Concern {
  readonly mail: MailSetting;
}

/** Events that become one entry. */
export interface Entry extends Omit<WantedConcern, 'event'> {
  readonly firstAt: Date;
  readonly newest: ConcernedEvent;
  readonly eventCount: number;
  /** Too old to draw attention, as after a time without this service. */
  readonly isOld: boolean;
  /** Whether it may join an entry that is there already: only the first of its kind. */
  readonly mayJoin: boolean;
  /** What happened to the account; absent: it is about something else. */
  readonly securityEvent?: string;
}

/** Joins what has the same person, subject and reason within a day, in the order of the newest. */
export function entriesOf(concerns: readonly WantedConcern[], now: Date): Entry[] {
  const byKey = new Map<string, Entry[]>();
  for (const { event, ...concern } of concerns) {
    const isOld = event.createdAt.getTime() < now.getTime() - groupedMs;
    const key = [concern.userId, concern.reason, concern.taskId, concern.subjectId, isOld].join(
      ' ',
    );
    const entries = byKey.get(key) ?? [];
    byKey.set(key, entries);
    const last = entries.at(-1);
    const single = { ...concern, newest: event, isOld, mayJoin: !last && !isOld };
    if (last && event.createdAt.getTime() < last.firstAt.getTime() + groupedMs) {
      const { firstAt, mayJoin, eventCount } = last;
      entries.pop();
      entries.push({ ...single, firstAt, mayJoin, eventCount: eventCount + 1 });
    } else {
      entries.push({ ...single, firstAt: event.createdAt, eventCount: 1 });
    }
  }
  const order = new Map(concerns.map(({ event }, index) => [event, index]));
  const place = ({ newest }: Entry) => order.get(newest) ?? 0;
  return [...byKey.values()].flat().toSorted((one, other) => place(one) - place(other));
}
