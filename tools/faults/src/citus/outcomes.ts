import type { Outcome, Request } from '../requests.ts';

/** What the requests of the organizations of one server got. */
export interface Seen {
  /** The requests that were acknowledged, without their ids, and how often. */
  readonly acknowledged: Map<string, number>;
  /** The requests that got a 503. */
  readonly unavailable: Map<string, number>;
  /** The requests that got no response in time. */
  readonly without: Map<string, number>;
}

/** Notes what requests got, by the server of their organization. */
export interface Outcomes {
  note(port: number, outcome: Outcome, request: Request): void;
  /** Returns what was noted since the last call. */
  take(): ReadonlyMap<number, Seen>;
}

export function createOutcomes(): Outcomes {
  let seen = new Map<number, Seen>();
  return {
    note(port, outcome, { method, path }) {
      const own = seen.get(port) ?? nothingSeen();
      seen.set(port, own);
      const request = `${method} ${withoutIds(path)}`;
      if (outcome.state === 'acknowledged') increment(own.acknowledged, request);
      if (outcome.state !== 'unknown') return;
      if (outcome.status === 503) increment(own.unavailable, request);
      if (outcome.status === undefined) increment(own.without, request);
    },
    take() {
      const taken = seen;
      seen = new Map();
      return taken;
    },
  };
}

export const nothingSeen = (): Seen => ({
  acknowledged: new Map(),
  unavailable: new Map(),
  without: new Map(),
});

export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function withoutIds(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4,12}){4}/g, ':id');
}
