import { allChecks } from './all-checks.ts';
import { mailsIn, type Credentials } from './accounts.ts';
import type { Check, Scene } from './check.ts';
import { Coverage, type CoverageReport } from './coverage.ts';
import { requestTo, send, type Deployment } from './deployment.ts';
import { Abandoned, NotRun, type CheckResult, type Finding } from './findings.ts';
import { findWorld } from './found-world.ts';
import { gateOf, isGroup } from './gate.ts';
import { Probe } from './probe.ts';
import { randomnessOf } from './randomness.ts';
import { makeWorld, type World } from './world.ts';

interface CommonOptions {
  /** Where the service answers. */
  readonly baseUrl: string;
  /** Groups of the contract; default: all. */
  readonly only?: readonly string[];
  /** Ids of checks, or what they begin with; default: all. */
  readonly checks?: readonly string[];
  /** For values that are picked at random; default 1. */
  readonly seed?: number;
  /** Whether an operation may answer 501. */
  readonly allowMissing?: boolean;
  /** Checks at a time; default 6. */
  readonly concurrency?: number;
  readonly onResult?: (result: CheckResult) => void;
}

/** Everything, with accounts of its own. */
export interface FullOptions extends CommonOptions {
  readonly profile?: 'full';
  /** Where the service's mails can be read: `GET /email`. */
  readonly mailApiUrl: string;
  /** A sign-in provider that takes a `login_hint` as the answer; default: none. */
  readonly signIn?: 'google' | 'github';
}

/** What changes nothing, with an account that is there. */
export interface ReadOnlyOptions extends CommonOptions {
  readonly profile: 'read-only';
  readonly account: Credentials;
}

export type ConformanceOptions = FullOptions | ReadOnlyOptions;

export interface ConformanceReport {
  readonly baseUrl: string;
  readonly profile: 'full' | 'read-only';
  readonly seed: number;
  readonly results: readonly CheckResult[];
  /** Null where only some checks were to run, or none could. */
  readonly coverage: CoverageReport | null;
  /** No finding, and nothing declared that was neither seen nor waived. */
  readonly hasPassed: boolean;
  readonly durationMs: number;
}

/**
 * Checks a deployment against the contract. The full profile makes accounts of its own there and leaves
 * them behind; the read-only one logs in, reads, and logs out.
 *
 * @throws Unreachable when the service or its mails don't answer at all
 */
export async function checkConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const startedAt = performance.now();
  const deployment = deploymentOf(options);
  await send(deployment, requestTo('health.live'));
  if (deployment.mailApiUrl !== null) await mailsIn(deployment.mailApiUrl);
  const coverage = new Coverage();
  const setting = { deployment, coverage, allowMissing: options.allowMissing ?? false };
  const { result, world } = await setUp(setting, options);
  options.onResult?.(result);
  const checks = selectedChecks(options);
  const results = world
    ? await runChecks(checks, { ...setting, ...options, world })
    : checks.map((check) => leftOut(check, 'needs the set-up'));
  if (world && options.profile === 'read-only') await leave(setting, world);
  const isWhole = options.checks === undefined && world !== null;
  const gate = isWhole ? gateOf({ coverage, options, results }) : null;
  const all = [result, ...results];
  return {
    baseUrl: deployment.baseUrl,
    profile: options.profile ?? 'full',
    seed: options.seed ?? 1,
    results: all,
    coverage: gate,
    hasPassed:
      all.every(({ outcome }) => outcome !== 'failed') && (gate?.missing.length ?? 0) === 0,
    durationMs: performance.now() - startedAt,
  };
}

function deploymentOf(options: ConformanceOptions): Deployment {
  const mailApiUrl = options.profile === 'read-only' ? null : options.mailApiUrl;
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    mailApiUrl: mailApiUrl?.replace(/\/+$/, '') ?? null,
  };
}

interface Setting {
  readonly deployment: Deployment;
  readonly coverage: Coverage;
  readonly allowMissing: boolean;
}

/** Makes or finds what the checks share; a result of its own tells how that went. */
async function setUp(
  setting: Setting,
  options: ConformanceOptions,
): Promise<{ result: CheckResult; world: World | null }> {
  let world: World | null = null;
  const title =
    options.profile === 'read-only'
      ? 'the account logs in and reads what it has'
      : 'three accounts with a team, a collection, an asset, a project, a task and a comment';
  const result = await timed({ id: 'set-up', group: 'set-up', title }, setting, async (probe) => {
    world =
      options.profile === 'read-only'
        ? await findWorld(probe, options.account)
        : await makeWorld(probe);
  });
  return { result, world };
}

async function leave(setting: Setting, { owner: { refreshToken } }: World): Promise<void> {
  await new Probe(setting).call('auth.logout', { body: { refreshToken } });
}

/** Runs checks side by side; results are in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  options: Setting &
    Pick<FullOptions, 'concurrency' | 'seed' | 'signIn' | 'onResult'> & { world: World },
): Promise<CheckResult[]> {
  const { world, seed = 1, signIn = null } = options;
  const results = Array.from<CheckResult>({ length: checks.length });
  const queue = checks.entries();
  const work = async () => {
    for (const [index, check] of queue) {
      const scene: Omit<Scene, 'probe'> = { world, random: randomnessOf(seed), signIn };
      const result = await timed(check, options, (probe) => check.run({ ...scene, probe }));
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 6 }, work));
  return results;
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
  profile,
}: Pick<ConformanceOptions, 'only' | 'checks' | 'profile'>): Check[] {
  return allChecks.filter(
    ({ id, group, isReading = false }) =>
      (profile !== 'read-only' || isReading) &&
      (only === undefined || only.some((name) => isGroup(group, name))) &&
      (checks === undefined || checks.some((start) => id.startsWith(start))),
  );
}
