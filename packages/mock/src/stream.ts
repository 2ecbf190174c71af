import { Readable } from 'node:stream';
import { LiveEvent } from '@atelier/contract';
import type { MockContext } from './responses.ts';
import { randomFor } from './random.ts';
import { idOf, valueOf } from './values.ts';
import { namedSchema } from './schemas.ts';

/** Same intervals as the service. */
const heartbeatEveryMs = 15_000;
const retryMs = 2000;

interface Listener {
  readonly organizationId: string | undefined;
  readonly lastEventId: string | undefined;
  /** Milliseconds between two changes. */
  readonly eventEveryMs: number;
}

/**
 * Streams live updates as Server-Sent Events until the client disconnects. The n-th change is the same for the
 * same seed and organization. Resumes after `lastEventId`.
 */
export function liveUpdates(context: MockContext, listener: Listener): Readable {
  const { lastEventId, eventEveryMs } = listener;
  const organizationId = listener.organizationId ?? idOf(randomFor(context.seed, 'organization'));
  const body = new Readable({ read() {} });
  const known = lastEventId === undefined ? 0 : positionIn(lastEventId);
  let position = known ?? 0;
  body.push(`retry: ${retryMs}\n${message(idAt(position), 'ready', { organizationId })}`);
  if (known === null) body.push(message(idAt(0), 'reset', { reason: 'unknown_position' }));
  const timers = [
    setInterval(() => {
      position += 1;
      const change = changeAt(context, organizationId, position);
      body.push(message(idAt(position), 'activity', change));
    }, eventEveryMs),
    setInterval(() => body.push(':\n\n'), heartbeatEveryMs),
  ];
  body.once('close', () => {
    for (const timer of timers) clearInterval(timer);
  });
  return body;
}

function changeAt(context: MockContext, organizationId: string, position: number): unknown {
  const random = randomFor(context.seed, 'events.subscribe', organizationId, position);
  const generated = valueOf(
    { ...context, random },
    { name: 'data', schema: namedSchema('LiveEvent') },
  );
  return { ...LiveEvent.parse(generated), organizationId };
}

function message(id: string, event: string, payload: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(payload)}\n\n`;
}

function idAt(position: number): string {
  return `mock-${position}`;
}

/** Returns null for an id that this server never sent. */
function positionIn(id: string): number | null {
  const digits = /^mock-(\d{1,9})$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
