import { LiveEvent } from '@atelier/contract';
import { randomFor } from './random.ts';
import type { MockResponse } from './response.ts';
import { MockFailure } from './failure.ts';
import { countUnread } from './features/notifications.ts';
import { namedSchema } from './schemas.ts';
import { lacksSecondFactor, roleIn } from './state/access.ts';
import { maySee } from './state/activities.ts';
import { callerOf, organizationOf } from './state/call.ts';
import { isLive } from './state/keys.ts';
import type { Call } from './state/model.ts';
import { present } from './state/present.ts';
import type { Stored } from './state/store.ts';
import { valueOf } from './values.ts';

/** Same intervals as the service. */
const heartbeatEveryMs = 15_000;
const retryMs = 2000;
const checkEveryMs = 1000;

/**
 * Streams the changes of an organization as Server-Sent Events until the client disconnects, its token or API key
 * expires, its session ends or the account loses access. Resumes after `Last-Event-ID`. Made-up changes are the same for
 * the same seed and organization.
 *
 * @param eventEveryMs - interval of made-up changes; 0: there are none
 * @throws MockFailure for a position that the mock never sent for this organization
 */
export function liveUpdates(call: Call, eventEveryMs: number): MockResponse {
  const { request } = call;
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  };
  const organization = organizationOf(call);
  const lastEventId = request.headers['last-event-id'];
  const history = visibleTo(call, organization);
  const expiresAtMs = expiryOf(call);
  const known = lastEventId === undefined ? history.length : positionIn(call, lastEventId, history);
  if (request.isHead) return { status: 200, headers, body: null };
  const timers: ReturnType<typeof setInterval>[] = [];
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const push = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      const last = history[known - 1];
      push(`retry: ${retryMs}\n`);
      push(message(idOf(last), 'ready', { organizationId: organization.id }));
      for (const activity of history.slice(known)) push(changeOf(call, activity));
      const listener = (activity: Stored) => {
        if (activity.organizationId !== organization.id) return;
        const role = roleIn(call, organization.id);
        if (maySee(activity, { ...call, role })) push(changeOf(call, activity));
      };
      let isInboxChanged = false;
      const inboxListener = (userId: string) => {
        // No key reads an inbox.
        if (userId === call.caller?.id && !call.key) isInboxChanged = true;
      };
      call.state.listeners.add(listener);
      call.state.inboxListeners.add(inboxListener);
      stop = () => {
        call.state.listeners.delete(listener);
        call.state.inboxListeners.delete(inboxListener);
        for (const timer of timers) clearInterval(timer);
      };
      const close = (reason: string) => {
        // Without an id, the client keeps that of the last change.
        push(message(null, 'closed', { reason }));
        stop();
        controller.close();
      };
      timers.push(
        setInterval(() => push(':\n\n'), heartbeatEveryMs),
        setInterval(() => {
          const reason = reasonToClose(call, organization, expiresAtMs);
          if (reason !== null) return close(reason);
          if (!isInboxChanged) return;
          isInboxChanged = false;
          const { unread } = countUnread(call);
          push(message(null, 'notification', { unread }));
        }, checkEveryMs),
      );
      if (eventEveryMs > 0) timers.push(setInterval(madeUp(call, push), eventEveryMs));
    },
    cancel: () => stop(),
  });
  return { status: 200, headers, body };
}

function visibleTo(call: Call, { id }: Stored): readonly Stored[] {
  const activities = call.state.store.all('Activity');
  return activities.filter((activity) => activity.organizationId === id && maySee(activity, call));
}

/** When the access token or API key expires; a later token of the session extends no stream. */
function expiryOf({ session, key }: Call): number {
  if (session) return Number(session.hidden['accessUntil']);
  const expiresAt = key?.fields['expiresAt'];
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : Infinity;
}

function reasonToClose(call: Call, organization: Stored, expiresAtMs: number): string | null {
  const { state } = call;
  if (expiresAtMs <= state.nowMs()) return 'token_expired';
  if (!isSignedIn(call)) return 'session_ended';
  const hasAccess =
    roleIn(call, organization.id) !== null &&
    !lacksSecondFactor(state, { organization, caller: callerOf(call) });
  return hasAccess ? null : 'access_ended';
}

function isSignedIn({ state, caller, session, key }: Call): boolean {
  const account = state.store.find('user', caller?.id);
  if (account?.fields['accountStatus'] !== 'VERIFIED') return false;
  if (key) return isLive(state, key);
  return session === null || state.store.find('session', session.id) !== undefined;
}

function changeOf({ state, caller }: Call, activity: Stored): string {
  const shown = present(activity, { state, callerId: caller?.id ?? null }, LiveEvent);
  return message(idOf(activity), 'activity', shown);
}

function madeUp({ state, organization }: Call, push: (text: string) => void): () => void {
  let position = 0;
  return () => {
    position += 1;
    const random = randomFor(state.seed, 'events.subscribe', organization?.id ?? '', position);
    const { baseUrl } = state;
    const field = { name: 'data', schema: namedSchema('LiveEvent') };
    const change = LiveEvent.parse(valueOf({ baseUrl, random }, field));
    const data = { ...change, organizationId: organization?.id };
    push(message(`mock-${state.newId()}`, 'activity', data));
  };
}

function message(id: string | null, event: string, payload: unknown): string {
  const position = id === null ? '' : `id: ${id}\n`;
  return `${position}event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`;
}

function idOf(activity: Stored | undefined): string {
  return `mock-${activity?.id ?? 'start'}`;
}

/** Returns how many changes a reader has seen; an id of a made-up change or of a deleted one counts as the latest. */
function positionIn(call: Call, id: string, history: readonly Stored[]): number {
  const activityId = /^mock-(start|[0-9a-f-]{36})$/.exec(id)?.[1];
  const activity = call.state.store.find('Activity', activityId);
  const isElsewhere = activity && activity.organizationId !== organizationOf(call).id;
  if (activityId === undefined || isElsewhere) {
    const message = 'Invalid Last-Event-ID: pass the id of a message of this organization';
    throw new MockFailure('validation_failed', {
      errors: [{ in: 'headers', path: ['last-event-id'], code: 'invalid_cursor', message }],
    });
  }
  if (id === 'mock-start') return 0;
  const after = history.findIndex((one) => idOf(one) > id);
  return after === -1 ? history.length : after;
}
