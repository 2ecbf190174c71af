import type { Operation } from '@atelier/contract';
import fc from 'fast-check';
import { brokenInvariants } from './invariants.ts';
import { fuzzRequests, type FuzzRequest, type FuzzFixtures } from './requests.ts';
import { connections, sendFuzz, type WireResponse } from './wire.ts';

/** The first request that violated an invariant in a certain way, and the count of such requests. */
export interface Finding {
  readonly operation: string;
  readonly broken: string;
  readonly example: string;
  count: number;
}

export interface FuzzSummary {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly operations: number;
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

export interface FuzzRun {
  readonly url: string;
  readonly operations: readonly Operation[];
  readonly requests: number;
  readonly seed: number;
  /** Requests per fixture team: they consume its records. */
  readonly requestsPerFixtures: number;
  newFuzzFixtures(): Promise<FuzzFixtures>;
  /** Runs after each fixture team. */
  onProgress?(sent: number): void;
}

const concurrency = 16;

/** Sends requests, which are the same for the same seed except for their ids, and checks every response. */
export async function fuzz(run: FuzzRun): Promise<FuzzSummary> {
  const startedAt = performance.now();
  const findings = new Map<string, Finding>();
  const statuses = new Map<number, number>();
  const operations = new Set<string>();
  const agent = connections(concurrency);
  for (let sent = 0; sent < run.requests; sent += run.requestsPerFixtures) {
    const arbitrary = fuzzRequests(run.operations, await run.newFuzzFixtures());
    const numRuns = Math.min(run.requestsPerFixtures, run.requests - sent);
    const waiting = fc.sample(arbitrary, { seed: run.seed + sent, numRuns });
    const worker = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const response = await sendFuzz({ url: run.url, agent }, next);
        operations.add(next.operation);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        note(findings, next, response);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    run.onProgress?.(sent + numRuns);
  }
  agent.destroy();
  return {
    requests: run.requests,
    statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)),
    operations: operations.size,
    findings: [...findings.values()],
    seconds: (performance.now() - startedAt) / 1000,
  };
}

function note(findings: Map<string, Finding>, request: FuzzRequest, response: WireResponse): void {
  for (const broken of brokenInvariants(request, response)) {
    const key = `${request.operation} ${broken}`;
    const known = findings.get(key);
    if (known) known.count += 1;
    else {
      const { operation } = request;
      findings.set(key, { operation, broken, example: inBrief(request, response), count: 1 });
    }
  }
}

const maxShown = 600;

/** Formats a request and its response for people: enough to send it again. */
function inBrief({ method, path, headers, body }: FuzzRequest, response: WireResponse): string {
  const shown = Object.entries(headers)
    .map(([name, value]) => (name === 'authorization' ? name : `${name}: ${value}`))
    .join('; ');
  const sent = body === null ? '' : JSON.stringify(Buffer.from(body).toString('latin1'));
  return [
    `${method} ${path.slice(0, maxShown)}`,
    shown.slice(0, maxShown),
    sent.slice(0, maxShown),
    `→ ${response.status} ${response.text.slice(0, maxShown)}`,
  ].join('\n  ');
}
