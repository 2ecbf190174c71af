import { LiveEvent, type closeReasons, type resetReasons } from '@atelier/contract';
import { shownNameOf } from '../../domain/activity-view/present.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import { lazySerializer } from '../../kernel/serializer.ts';
import type { Change } from './queries.ts';

export type ResetReason = keyof typeof resetReasons;
export type CloseReason = keyof typeof closeReasons;

const serialize = lazySerializer(LiveEvent);

/** Milliseconds after which browsers connect again. */
const retryMs = 2000;

// Messages of an event stream as they go over the wire; a blank line ends each.

/** Keeps proxies from closing an idle connection. */
export const heartbeat = Buffer.from(':\n\n');

/** @param id - null keeps the client's last id */
export function readyMessage(organizationId: string, id: string | null): string {
  const lines = [
    `retry: ${retryMs}`,
    ...(id === null ? [] : [`id: ${id}`]),
    'event: ready',
    `data: ${JSON.stringify({ organizationId })}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

export function activityMessage(id: string, organizationId: string, change: Change): string {
  const { actor } = change;
  const data = serialize({
    ...change,
    resourceName: shownNameOf(change),
    organizationId,
    actor: actor && { id: actor.id, name: displayNameOf(actor) },
    createdAt: change.createdAt.toISOString(),
  });
  return `id: ${id}\nevent: activity\ndata: ${data}\n\n`;
}

export function unreadMessage(unread: number): Buffer {
  return Buffer.from(`event: notification\ndata: {"unread":${unread}}\n\n`);
}

export function resetMessage(id: string, reason: ResetReason): string {
  return `id: ${id}\nevent: reset\ndata: {"reason":"${reason}"}\n\n`;
}

export function closedMessage(reason: CloseReason): string {
  return `event: closed\ndata: {"reason":"${reason}"}\n\n`;
}
