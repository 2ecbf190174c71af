import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Activity } from './timeline.ts';
import { endpoint } from './endpoint.ts';
import { eventStream } from './envelope.ts';
import { maxUnreadCount } from './notifications.ts';
import { Id } from './primitives.ts';

export const LiveEvent = Activity.pick({
  id: true,
  action: true,
  actor: true,
  resourceType: true,
  resourceId: true,
  resourceName: true,
  createdAt: true,
})
  .extend({ organizationId: Id })
  .meta({
    id: 'LiveEvent',
    description: 'A change that just happened, and the resource to fetch again.',
    examples: [
      {
        id: '019aa4f3-2c4d-7e5f-a061-7c8d9e0f1a2b',
        action: 'collection.rename',
        actor: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', name: 'Ada Lovelace' },
        organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        resourceType: 'collection',
        resourceId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
        resourceName: 'Brand pictures',
        createdAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

/** Why changes are missing, so that everything has to be fetched again. */
export const resetReasons = {
  too_many_changes: 'Too many changes at once, or since the last received message.',
  unknown_position:
    'The position is of another history of the database: it was restored, it recovered from a crash, or another server took over.',
} as const;

/** Why a stream ended. */
export const closeReasons = {
  token_expired: 'The access token expired; connect again with a new one.',
  slow_reader: 'The subscriber read too slowly; connect again.',
  shutting_down: 'The process is shutting down; connect again.',
  session_ended:
    'The session has ended, or the API key was revoked; sign in again, or use another key.',
  access_ended:
    'You are no longer an active member, the organization was deleted, or you lack the second factor that it requires; or the API key no longer reaches the organization, or is no longer accepted there.',
} as const;

const keysOf = <Key extends string>(reasons: Readonly<Record<Key, string>>) =>
  z.enum(Object.keys(reasons) as [Key, ...Key[]]);

const Ready = z.object({ event: z.literal('ready'), data: z.object({ organizationId: Id }) });
const Change = z.object({ event: z.literal('activity'), data: LiveEvent });
const Reset = z.object({
  event: z.literal('reset'),
  data: z.object({ reason: keysOf(resetReasons) }),
});
const Unread = z.object({
  event: z.literal('notification'),
  data: z.object({ unread: z.int().min(0).max(maxUnreadCount) }),
});
const Closed = z.object({
  event: z.literal('closed'),
  data: z.object({ reason: keysOf(closeReasons) }),
});

export type LiveMessage = z.infer<
  typeof Ready | typeof Change | typeof Unread | typeof Reset | typeof Closed
>;

// The inferred type has a parameter that only later versions of zod 4 have.
export const LiveMessage: z.ZodType<LiveMessage> = z
  .discriminatedUnion('event', [Ready, Change, Unread, Reset, Closed])
  .meta({
    id: 'LiveMessage',
    description:
      'A message of the stream. `ready`: every later change will arrive. `notification`: how many notifications of yours are unread now, at most once a second. `reset`: changes are missing, fetch everything again. `closed`: the stream ends.',
    examples: [
      { event: 'ready', data: { organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11' } },
      { event: 'notification', data: { unread: 3 } },
      { event: 'reset', data: { reason: 'too_many_changes' } },
      { event: 'closed', data: { reason: 'token_expired' } },
    ],
  });

export const events = {
  subscribe: endpoint({
    method: 'GET',
    path: '/api/events',
    summary: 'Subscribe to changes in the organization',
    description:
      'Server-Sent Events. Each change arrives once, after the changes it depends on, and only if the role may read the resource. `Last-Event-ID` resumes after the last received message.',
    isAddition: true,
    access: memberAccess('organization:read'),
    success: eventStream(LiveMessage),
  }),
};
