import { idAt } from '../values.ts';
import { randomFor } from '../random.ts';
import { createStorage } from '../storage.ts';
import type { Features, State } from './model.ts';
import { createStore, type Fields } from './store.ts';

export interface StateOptions {
  readonly seed: number;
  readonly features: Features;
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly nowMs: () => number;
}

export function createState({ seed, features, baseUrl, appUrl, nowMs }: StateOptions): State {
  let count = 0;
  let lastMs = 0;
  let stepMs: number | null = null;
  // Two records never have the same time, so that lists by time have one order.
  const tick = () => (lastMs = stepMs === null ? Math.max(nowMs(), lastMs + 1) : lastMs + stepMs);
  return {
    seed,
    features,
    store: createStore(),
    storage: createStorage(),
    mails: [],
    repetitions: new Map(),
    listeners: new Set(),
    inboxListeners: new Set(),
    baseUrl,
    appUrl,
    guestId: null,
    nowMs,
    simulateTime(time) {
      stepMs = time?.stepMs ?? null;
      lastMs = Math.max(lastMs, time?.startMs ?? 0);
    },
    now: () => new Date(tick()).toISOString(),
    newId: () => idAt(tick(), randomFor(seed, 'id', (count += 1))),
    newSecret: () => randomFor(seed, 'secret', (count += 1), tick()).hex(48),
  };
}

/** Sends an email with a link to a page of the web app. */
export function sendMail(
  state: State,
  { to, subject, path }: { to: string; subject: string; path: string },
): void {
  state.mails.push({
    id: state.newId(),
    to,
    subject,
    text: `${subject}:\n\n${state.appUrl}${path}\n`,
    date: state.now(),
  });
}

/** Returns all mails as the inbox of the embedded services does. */
export function inboxOf({ mails }: State): Fields[] {
  return mails.map(({ id, to, subject, text, date }) => ({
    id,
    from: 'no-reply@example.com',
    to: [{ address: to }],
    subject,
    text,
    html: `<pre>${text}</pre>`,
    date,
  }));
}
