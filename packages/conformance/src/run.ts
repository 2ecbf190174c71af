import { allChecks } from './all-checks.ts';
import { mailsIn, type Credentials } from './accounts.ts';
import type { Check } from './check.ts';
import { Coverage, type CoverageReport } from './coverage.ts';
import { requestTo, send, type Deployment } from './deployment.ts';
import { Abandoned, NotRun, type CheckResult, type Finding } from './findings.ts';
import { findFixtures, signOut } from './existing-fixtures.ts';
import { emptinessOf, gateOf, isGroup, resultOf } from './gate.ts';
import { Probe } from './probe.ts';
import { randomnessOf } from './randomness.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';
import { keepRefreshed } from './refreshed.ts';
import { keepSignedIn, type FixturesFor } from './signed-in.ts';

interface CommonOptions {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** Groups of the contract, with every check that shows one of their statuses; default: all. */
  readonly only?: readonly string[];
  /** Ids of checks or prefixes of ids; default: all. */
  readonly checks?: readonly string[];
  /** Seed of random values; default 1. */
  readonly seed?: number;
  /** Whether an operation may respond with 501. */
  readonly allowMissing?: boolean;
  /** Checks that run in parallel; default 6. */
  readonly concurrency?: number;
  readonly onResult?: (result: CheckResult) => void;
}

/** Options of the full profile, which creates its own accounts. */
export interface FullOptions extends CommonOptions {
  readonly profile?: 'full';
  /** Base URL of the mail inbox: `GET /email` lists the mails. */
  readonly mailApiUrl: string;
  /** A sign-in provider that skips its pages for a `login_hint`; default: none. */
  readonly signIn?: 'google' | 'github';
}

/** Options of the read-only profile, which uses an existing account. */
export interface ReadOnlyOptions extends CommonOptions {
  readonly profile: 'read-only';
  readonly account: Credentials;
}

interface OptionsByProfile {
  readonly full: FullOptions;
  readonly 'read-only': ReadOnlyOptions;
}

export type ConformanceOptions = OptionsByProfile[keyof OptionsByProfile];

export interface ConformanceReport {
  readonly baseUrl: string;
  readonly profile: 'full' | 'read-only';
  readonly seed: number;
  readonly results: readonly CheckResult[];
  /** Null when only some checks were selected, or the set-up failed. */
  readonly coverage: CoverageReport | null;
  /**
   * Whether no check has a finding; a missing status is one of the check `coverage`, and a run without any check that ran
   * has one of the check `selection`.
   */
  readonly hasPassed: boolean;
  readonly durationMs: number;
}

/**
 * Checks a deployment against the contract. The full profile creates accounts and leaves them behind; the
 * read-only profile signs in, reads and signs out.
 *
 * @throws Unreachable when the service or its mail inbox does not respond
 */
export async function checkConformance<Profile extends keyof OptionsByProfile = 'full'>(
  // By the profile, so that an error of the compiler names the option that this profile lacks.
  options: OptionsByProfile[Profile] & { readonly profile?: Profile },
): Promise<ConformanceReport> {
  return (await runConformance(options)).report;
}

/** Like {@link checkConformance}, with the checks that saw each status. */
export async function runConformance(
  options: ConformanceOptions,
): Promise<{ report: ConformanceReport; coverage: Coverage }> {
  const startedAt = performance.now();
  const deployment = deploymentOf(options);
  await send(deployment, requestTo('health.live'));
  if (deployment.mailApiUrl !== null) await mailsIn(deployment.mailApiUrl);
  const coverage = new Coverage();
  const setting = { deployment, coverage, allowMissing: options.allowMissing ?? false };
  const { result, fixtures } = await setUp(setting, options);
  options.onResult?.(result);
  const checks = selectedChecks(options);
  const results = fixtures
    ? await runChecks(checks, {
        ...setting,
        ...options,
        fixturesFor: fixturesDuring(options, fixtures),
      })
    : checks.map((check) => skipped(check, 'the set-up failed'));
  if (fixtures && options.profile === 'read-only') {
    await signOut(new Probe(setting), fixtures.owner);
  }
  const isComplete = options.checks === undefined && fixtures !== null;
  const gate = isComplete ? gateOf({ coverage, options, results }) : null;
  const emptiness = fixtures ? emptinessOf(results) : null;
  const gateResults = [...(emptiness ? [emptiness] : []), ...(gate ? [resultOf(gate)] : [])];
  for (const gateResult of gateResults) options.onResult?.(gateResult);
  const all = [result, ...results, ...gateResults];
  const report = {
    baseUrl: deployment.baseUrl,
    profile: options.profile ?? 'full',
    seed: options.seed ?? 1,
    results: all,
    coverage: gate,
    hasPassed: all.every(({ outcome }) => outcome !== 'failed'),
    durationMs: performance.now() - startedAt,
  };
  return { report, coverage };
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

/** Creates or finds the fixtures; the result is that of the check `set-up`. */
async function setUp(
  setting: Setting,
  options: ConformanceOptions,
): Promise<{ result: CheckResult; fixtures: Fixtures | null }> {
  let fixtures: Fixtures | null = null;
  const title =
    options.profile === 'read-only'
      ? 'the account signs in and its resources are found'
      : 'three accounts with a team, a collection, an asset, a project, a task and a comment';
  const result = await timed({ id: 'set-up', group: 'set-up', title }, setting, async (probe) => {
    try {
      fixtures =
        options.profile === 'read-only'
          ? await findFixtures(probe, options.account)
          : await createFixtures(probe);
    } catch (error) {
      if (!(error instanceof NotRun)) throw error;
      // Without fixtures no check runs, so the run must not pass.
      probe.findings.push(unfinished(title, error));
      throw new Abandoned(error.message);
    }
  });
  return { result, fixtures };
}

/** The read-only profile signs in once, and keeps that session. */
function fixturesDuring(
  { profile }: ConformanceOptions,
  fixtures: Fixtures,
): FixturesFor<Fixtures> {
  return profile === 'read-only' ? keepRefreshed(fixtures) : keepSignedIn(fixtures);
}

/** Runs checks in parallel; results are in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  options: Setting &
    Pick<FullOptions, 'concurrency' | 'seed' | 'signIn' | 'onResult'> & {
      fixturesFor: FixturesFor<Fixtures>;
    },
): Promise<CheckResult[]> {
  const { fixturesFor, seed = 1, signIn = null } = options;
  const results = Array.from<CheckResult>({ length: checks.length });
  const queue = checks.entries();
  const work = async () => {
    for (const [index, check] of queue) {
      const result = await timed(check, options, async (probe) => {
        const fixtures = await fixturesFor(probe);
        return check.run({ fixtures, random: randomnessOf(seed), signIn, probe });
      });
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
  const probe = new Probe({ ...setting, check: id });
  let reason: string | null = null;
  try {
    await run(probe);
  } catch (error) {
    if (error instanceof NotRun) reason = error.message;
    else if (!(error instanceof Abandoned) || probe.findings.length === 0) {
      probe.findings.push(defectOf(id, error));
    }
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

function unfinished(title: string, { message }: NotRun): Finding {
  return {
    rule: 'set-up.completes',
    operation: null,
    request: 'all requests of the set-up',
    expected: title,
    actual: message,
  };
}

function skipped({ id, group, title }: Check, reason: string): CheckResult {
  return { id, group, title, outcome: 'not-run', findings: [], reason, durationMs: 0 };
}

/** Turns the error that ended a check into a finding, so that it does not pass. */
function defectOf(id: string, error: unknown): Finding {
  const actual = error instanceof Error ? error.message : String(error);
  return {
    rule: 'check.completes',
    operation: null,
    request: id,
    expected: 'responses that the check can read',
    actual,
  };
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** Selects checks by group, id and profile; their order stays. */
export function selectedChecks({
  only,
  checks,
  profile,
}: Pick<ConformanceOptions, 'only' | 'checks' | 'profile'>): Check[] {
  return allChecks.filter(
    ({ id, group, alsoShows = [], isReading = false }) =>
      (profile !== 'read-only' || isReading) &&
      (only === undefined ||
        only.some((name) => [group, ...alsoShows].some((shown) => isGroup(shown, name)))) &&
      (checks === undefined || checks.some((start) => id.startsWith(start))),
  );
}
