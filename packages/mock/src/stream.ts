import { Readable } from 'node:stream';
import { LiveEvent } from '@atelier/contract';
import type { World } from './answers.ts';
import { randomFor } from './random.ts';
import { idOf, valueOf } from './values.ts';
import { namedSchema } from './schemas.ts';

/** As the service does it. */
const heartbeatEveryMs = 15_000;
const retryMs = 2000;

interface Listener {
  readonly organizationId: string | undefined;
  readonly lastEventId: string | undefined;
  /** Milliseconds between two changes. */
  readonly eventEveryMs: number;
}

/**
 * Live updates as Server-Sent Events until the reader leaves: change after change, the n-th being the
 * same for the same seed and organization. Goes on after `lastEventId`.
 */
export function liveUpdates(world: World, listener: Listener): Readable {
  const { lastEventId, eventEveryMs } = listener;
  const organizationId = listener.organizationId ?? idOf(randomFor(world.seed, 'organization'));
  const body = new Readable({ read() {} });
  const known = lastEventId === undefined ? 0 : positionIn(lastEventId);
  let position = known ?? 0;
  body.push(`retry: ${retryMs}\n${message(idAt(position), 'ready', { organizationId })}`);
  if (known === null) body.push(message(idAt(0), 'reset', { reason: 'unknown_position' }));
  const timers = [
    setInterval(() => {
      position += 1;
      const change = changeAt(world, organizationId, position);
      body.push(message(idAt(position), 'activity', change));
    }, eventEveryMs),
    setInterval(() => body.push(':\n\n'), heartbeatEveryMs),
  ];
  body.once('close', () => {
    for (const timer of timers) clearInterval(timer);
  });
  return body;
}

function changeAt(world: World, organizationId: string, position: number): unknown {
  const random = randomFor(world.seed, 'events.subscribe', organizationId, position);
  const made = valueOf({ ...world, random }, { name: 'data', schema: namedSchema('LiveEvent') });
  return { ...LiveEvent.parse(made), organizationId };
}

function message(id: string, event: string, payload: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(payload)}\n\n`;
}

function idAt(position: number): string {
  return `mock-${position}`;
}

/** Null for an id that this server never gave. */
function positionIn(id: string): number | null {
  const digits = /^mock-(\d{1,9})$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
