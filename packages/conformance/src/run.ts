import { operations, type Operation, type OperationId } from '@atelier/contract';
import { allChecks } from './all-checks.ts';
import { groupOf, type Check, type Scene } from './check.ts';
import { Coverage, coverageReport, type CoverageReport } from './coverage.ts';
import type { Deployment } from './deployment.ts';
import { Abandoned, NotRun, type CheckResult, type Finding } from './findings.ts';
import { Probe } from './probe.ts';
import { randomnessOf } from './randomness.ts';
import { makeWorld, type World } from './world.ts';

export interface ConformanceOptions {
  /** Where the service answers. */
  readonly baseUrl: string;
  /** Where its mails can be read: `GET /email`. */
  readonly mailApiUrl: string;
  /** Groups of the contract; default: all. */
  readonly only?: readonly string[];
  /** Ids of checks, or what they begin with; default: all. */
  readonly checks?: readonly string[];
  /** A sign-in provider that takes a `login_hint` as the answer; default: none. */
  readonly signIn?: 'google' | 'github';
  /** For values that are picked at random; default 1. */
  readonly seed?: number;
  /** Whether an operation may answer 501. */
  readonly allowMissing?: boolean;
  /** Checks at a time; default 6. */
  readonly concurrency?: number;
  readonly onResult?: (result: CheckResult) => void;
}

export interface ConformanceReport {
  readonly baseUrl: string;
  readonly seed: number;
  readonly results: readonly CheckResult[];
  /** Null where only some checks were to run. */
  readonly coverage: CoverageReport | null;
  /** No finding, and nothing declared that was neither seen nor waived. */
  readonly hasPassed: boolean;
  readonly durationMs: number;
}

/**
 * Checks a deployment against the contract. Makes accounts of its own there and leaves them behind.
 *
 * @throws Unreachable when the service or its mails don't answer at all
 */
export async function checkConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const startedAt = performance.now();
  const deployment = deploymentOf(options);
  const coverage = new Coverage();
  const setting = { deployment, coverage, allowMissing: options.allowMissing ?? false };
  const { result, world } = await setUp(setting);
  options.onResult?.(result);
  const checks = selectedChecks(options);
  const results = world
    ? await runChecks(checks, { ...setting, ...options, world })
    : checks.map((check) => leftOut(check, 'its accounts and things could not be made'));
  const isWhole = options.checks === undefined && world !== null;
  const gate = isWhole ? gateOf({ coverage, options, results }) : null;
  return {
    baseUrl: deployment.baseUrl,
    seed: options.seed ?? 1,
    results: [result, ...results],
    coverage: gate,
    hasPassed:
      [result, ...results].every(({ outcome }) => outcome !== 'failed') &&
      (gate?.missing.length ?? 0) === 0,
    durationMs: performance.now() - startedAt,
  };
}

export function deploymentOf(options: { baseUrl: string; mailApiUrl: string | null }): Deployment {
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    mailApiUrl: options.mailApiUrl?.replace(/\/+$/, '') ?? null,
  };
}

interface Setting {
  readonly deployment: Deployment;
  readonly coverage: Coverage;
  readonly allowMissing: boolean;
}

/** Makes what the checks share; a result of its own tells how that went. */
export async function setUp(
  setting: Setting,
): Promise<{ result: CheckResult; world: World | null }> {
  let world: World | null = null;
  const check: Omit<Check, 'run'> = {
    id: 'set-up',
    group: 'set-up',
    title: 'three accounts with a team, a collection, an asset, a project, a task and a comment',
  };
  const result = await timed(check, setting, async (probe) => {
    world = await makeWorld(probe);
  });
  return { result, world };
}

/** Runs checks side by side; results are in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  options: Setting & { world: World } & Pick<
      ConformanceOptions,
      'concurrency' | 'seed' | 'signIn' | 'onResult'
    >,
): Promise<CheckResult[]> {
  const results = Array.from<CheckResult>({ length: checks.length });
  const queue = checks.entries();
  const work = async () => {
    for (const [index, check] of queue) {
      const result = await timed(check, options, (probe) =>
        check.run({ ...sceneOf(options), probe }),
      );
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 6 }, work));
  return results;
}

function sceneOf({
  world,
  seed = 1,
  signIn = null,
}: {
  world: World;
  seed?: number;
  signIn?: Scene['signIn'];
}): Omit<Scene, 'probe'> {
  return { world, random: randomnessOf(seed), signIn };
}

async function timed(
  { id, group, title }: Omit<Check, 'run'>,
  setting: Setting,
  run: (probe: Probe) => Promise<void>,
): Promise<CheckResult> {
  const startedAt = performance.now();
  const probe = new Probe(setting);
  let reason: string | null = null;
  try {
    await run(probe);
  } catch (error) {
    if (error instanceof NotRun) reason = error.message;
    else if (!(error instanceof Abandoned)) probe.findings.push(defectOf(id, error));
  }
  const findings = distinct(probe.findings);
  return {
    id,
    group,
    title,
    outcome: findings.length > 0 ? 'failed' : reason === null ? 'passed' : 'not-run',
    findings,
    reason,
    durationMs: performance.now() - startedAt,
  };
}

function leftOut({ id, group, title }: Check, reason: string): CheckResult {
  return { id, group, title, outcome: 'not-run', findings: [], reason, durationMs: 0 };
}

/** A check that stumbles over an answer says so instead of passing. */
function defectOf(id: string, error: unknown): Finding {
  const actual = error instanceof Error ? error.message : String(error);
  return {
    rule: 'check.completes',
    operation: null,
    request: id,
    expected: 'answers that the check can read',
    actual,
  };
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** @returns the chosen checks in their standing order */
export function selectedChecks({
  only,
  checks,
}: Pick<ConformanceOptions, 'only' | 'checks'>): Check[] {
  return allChecks.filter(
    ({ id, group }) =>
      (only === undefined || only.some((name) => isGroup(group, name))) &&
      (checks === undefined || checks.some((start) => id.startsWith(start))),
  );
}

/** Whether a name that people use means a group: `upload` is `uploads`. */
export function isGroup(group: string, name: string): boolean {
  return group === name || group === `${name}s`;
}

function gateOf({
  coverage,
  options,
  results,
}: {
  coverage: Coverage;
  options: ConformanceOptions;
  results: readonly CheckResult[];
}): CoverageReport {
  const { only, signIn } = options;
  const ids = operations
    .map(({ id }) => id)
    .filter((id) => only === undefined || only.some((name) => isGroup(groupOf(id), name)));
  const limited = results.find(({ outcome, reason }) => outcome === 'not-run' && reason);
  return coverageReport(coverage, new Set<OperationId>(ids), (operation, status) =>
    waiverOf(operation, status, { signIn, only, limited: limited?.reason ?? null, coverage }),
  );
}

interface RunWaivers {
  readonly signIn: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly limited: string | null;
  readonly coverage: Coverage;
}

function waiverOf(
  { id }: Operation,
  status: number,
  { signIn, only, coverage }: RunWaivers,
): string | null {
  const isProvider = /^auth\.(startGoogle|googleCallback|startGithub|githubCallback)$/.test(id);
  if (isProvider && status === 404 && coverage.has(id, 302)) return 'the provider is configured';
  if (isProvider && status === 302 && coverage.has(id, 404))
    return 'the provider is not configured';
  if (id === 'auth.exchange' && status === 200 && signIn === undefined) return 'needs --sign-in';
  if (only !== undefined && status >= 400) return null;
  return null;
}
