import type { Outcome, Request } from '../requests.ts';

/** Counts the outcomes that clients see, and lists those that they should never see. */
export interface Tally {
  readonly note: (outcome: Outcome, request: Request) => void;
  /** Announces that an instance is about to be killed, which cuts its connections. */
  expectCuts(instance: string): void;
  /** Returns lines with the count of each outcome. */
  lines(): string[];
  /** Returns lines with the count of each unexpected outcome. */
  unexpected(): string[];
  total(): number;
}

/** How long after a kill a client may still notice the cut. */
const cutSeconds = 5;

/** Refusals that concurrent writes or an interrupted attempt explain. */
const ordinaryRefusals = new Set(['conflict', 'precondition_failed']);

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const unexpected = new Map<string, number>();
  const killedAt = new Map<string, number>();
  const count = (counter: Map<string, number>, what: string) =>
    counter.set(what, (counter.get(what) ?? 0) + 1);

  function isExpected(outcome: Outcome): boolean {
    if (outcome.state === 'acknowledged') return true;
    if (outcome.state === 'refused') return ordinaryRefusals.has(outcome.code);
    // The key of an interrupted attempt stays taken until its lease expires.
    if (outcome.because === 'idempotency_in_flight') return true;
    const [, instance = ''] =
      /error=connection_terminated; next-hop="(\w+)"/.exec(outcome.because) ?? [];
    if (instance !== '') return isRecent(killedAt.get(instance));
    // On a reused connection, the balancer closes too, without a response.
    return outcome.because === 'TypeError' && isRecent(Math.max(...killedAt.values()));
  }

  function isRecent(killed: number | undefined): boolean {
    return killed !== undefined && performance.now() - killed < cutSeconds * 1_000;
  }

  return {
    note(outcome, { method, path }) {
      const what = nameOf(outcome);
      count(counts, what);
      if (!isExpected(outcome)) {
        count(unexpected, `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')}: ${what}`);
      }
    },
    expectCuts: (instance) => void killedAt.set(instance, performance.now()),
    lines: () => listed(counts),
    unexpected: () => listed(unexpected),
    total: () => [...counts.values()].reduce((sum, times) => sum + times, 0),
  };
}

function nameOf(outcome: Outcome): string {
  switch (outcome.state) {
    case 'acknowledged':
      return outcome.isReplay ? 'acknowledged, replayed' : 'acknowledged';
    case 'refused':
      return `refused ${outcome.status} ${outcome.code}`;
    case 'unknown':
      return `unknown ${outcome.status ?? 'no response'} ${outcome.because}`;
  }
}

function listed(counter: ReadonlyMap<string, number>): string[] {
  return [...counter]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `${String(times).padStart(7)}  ${what}`);
}
