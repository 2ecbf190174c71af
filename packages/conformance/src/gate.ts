import { operations, type OperationId } from '@atelier/contract';
import { groupOf, isReading } from './check.ts';
import { coverageReport, type Coverage, type CoverageReport } from './coverage.ts';
import { missingReason, type CheckResult } from './findings.ts';

/** The options that decide which statuses a run can't see. */
interface GatedRun {
  readonly only?: readonly string[];
  readonly profile?: 'full' | 'read-only';
  readonly signIn?: string;
}

/** What succeeds only after a sign-in through a provider. */
const needsProvider: ReadonlySet<OperationId> = new Set<OperationId>([
  'auth.exchange',
  'auth.exchangeWithSecondFactor',
  'security.removeIdentity',
]);

/** Compares the statuses seen with the declared ones, and applies the waivers of this run. */
export function gateOf({
  coverage,
  options,
  results,
}: {
  coverage: Coverage;
  options: GatedRun;
  results: readonly CheckResult[];
}): CoverageReport {
  const { only, signIn, profile } = options;
  const ids = operations
    .map(({ id }) => id)
    .filter((id) => only === undefined || only.some((name) => isGroup(groupOf(id), name)));
  const notRun = new Map(results.map(({ id, reason }) => [id, reason]));
  return coverageReport(coverage, new Set<OperationId>(ids), ({ id }, status) => {
    if (profile === 'read-only') return readOnlyWaiver(id, status);
    if (signIn === undefined && status === 200 && needsProvider.has(id)) return 'needs --sign-in';
    return providerWaiver(id, status, coverage) ?? notRun.get(`idempotency.replay:${id}`) ?? null;
  });
}

/** Turns the comparison into the result of a check, so that every report and every total has it. */
export function resultOf({ missing }: CoverageReport): CheckResult {
  return {
    id: 'coverage',
    group: 'coverage',
    title: 'each operation returns each status that it declares, or the status is waived',
    outcome: missing.length > 0 ? 'failed' : 'passed',
    findings: missing.map(({ operation, status }) => ({
      rule: 'coverage.missing',
      operation,
      request: `all requests to ${operation}`,
      expected: `${status}, which it declares, at least once`,
      actual: 'never',
    })),
    reason: null,
    durationMs: 0,
  };
}

/**
 * Fails a run without a single check that ran, because it shows nothing about the deployment. It may be empty if every
 * operation is missing and may be.
 *
 * @returns null unless the run fails
 */
export function emptinessOf(results: readonly CheckResult[]): CheckResult | null {
  if (results.some(({ outcome }) => outcome !== 'not-run')) return null;
  const reasons = new Set(results.map(({ reason }) => reason ?? ''));
  if (reasons.size === 1 && reasons.has(missingReason)) return null;
  return {
    id: 'selection',
    group: 'selection',
    title: 'at least one of the selected checks runs',
    outcome: 'failed',
    findings: [
      {
        rule: 'selection.runs',
        operation: null,
        request: 'all requests of the selected checks',
        expected: 'at least one check that runs',
        actual: [...reasons].join('; ') || 'no check is selected',
      },
    ],
    reason: null,
    durationMs: 0,
  };
}

/** Whether a name means a group: `upload` means `uploads`. */
export function isGroup(group: string, name: string): boolean {
  return group === name || group === `${name}s`;
}

function readOnlyWaiver(id: OperationId, status: number): string {
  if (!isReading(id)) return 'the read-only profile changes nothing';
  return status < 400
    ? 'the account has no such resource'
    : 'needs the fixtures of the full profile';
}

/** A provider is configured or not, so an operation shows only one of two statuses. */
function providerWaiver(id: OperationId, status: number, coverage: Coverage): string | null {
  if (!/^auth\.(start|\w+Callback$)/.test(id)) return null;
  if (status === 404 && coverage.has(id, 302)) return 'the provider is configured';
  return status === 302 && coverage.has(id, 404) ? 'the provider is not configured' : null;
}
