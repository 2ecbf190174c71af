import {
  errorCatalogue,
  operations,
  permissionMatrix,
  type ErrorCode,
  type Operation,
  type OperationId,
} from '@atelier/contract';
import { querySchemaOf } from './request-schemas.ts';

export interface CoverageLine {
  readonly operation: OperationId;
  readonly status: number;
  /** Why it need not be seen; null otherwise. */
  readonly waiver: string | null;
}

export interface CoverageReport {
  readonly seen: readonly CoverageLine[];
  readonly waived: readonly CoverageLine[];
  /** Declared, but neither seen nor waived. */
  readonly missing: readonly CoverageLine[];
}

/** Codes that no client can cause, or only at the expense of other clients. */
const unreachableCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  internal_error: 'needs a defect',
  service_unavailable: 'needs the database to be down',
  storage_unavailable: 'needs the storage to be down',
  rate_limited: 'would lock out other clients of this address',
  idempotency_in_flight: 'needs two simultaneous requests',
  plan_limit_reached: 'needs a plan filled to its limit',
  too_many_api_keys: 'needs the maximum number of API keys',
  too_many_passkeys: 'needs the maximum number of passkeys',
  too_many_service_accounts: 'needs the maximum number of service accounts',
  too_many_subtasks: 'needs the maximum number of subtasks',
  too_many_task_assets: 'needs the maximum number of assets on a task',
  too_many_webhooks: 'needs the maximum number of webhooks',
  too_many_shares: 'needs the maximum number of shares',
  too_many_pinned_assets: 'needs more assets in a collection than can be pinned',
  too_many_open_uploads: 'needs the maximum number of open uploads',
  account_suspended: "needs the operator's command line",
  conflict: 'needs two simultaneous changes',
};

/** Statuses of single operations that no client can cause. */
const namedWaivers: Readonly<Record<string, string>> = {
  'organizations.acceptInvitation 409':
    'a member has no open invitation, so this needs two simultaneous requests',
  'account.requestExport 422': 'takes no input that could differ under the same key',
  'search.rebuild 422': 'takes no input that could differ under the same key',
  'approvals.refuse 409': 'needs a call that was made after its approval, or ten minutes',
  'security.removeIdentity 409':
    'needs an account that lost its password days ago and its last passkey minutes ago',
  'security.removePasskey 409': 'needs an account that has lost its password',
};

/** Records the statuses seen of each operation, and the checks that saw them. */
export class Coverage {
  readonly #checks = new Map<string, Set<string>>();

  note(operation: OperationId, status: number, check: string): void {
    const line = `${operation} ${status}`;
    this.#checks.set(line, (this.#checks.get(line) ?? new Set()).add(check));
  }

  has(operation: OperationId, status: number): boolean {
    return this.#checks.has(`${operation} ${status}`);
  }

  /** Returns the ids of the checks that saw a status. */
  checksOf({ operation, status }: Pick<CoverageLine, 'operation' | 'status'>): ReadonlySet<string> {
    return this.#checks.get(`${operation} ${status}`) ?? new Set();
  }
}

/**
 * Compares the statuses seen with those that the contract declares.
 *
 * @param selected - the operations to be checked
 * @param waiverOf - the reason of this run, such as a missing option; null if there is none
 */
export function coverageReport(
  coverage: Coverage,
  selected: ReadonlySet<OperationId>,
  waiverOf: (operation: Operation, status: number) => string | null,
): CoverageReport {
  const lines = operations
    .filter(({ id }) => selected.has(id))
    .flatMap((operation) =>
      statusesOf(operation).map((status) => ({ operation, status, id: operation.id })),
    );
  const seen = lines
    .filter(({ id, status }) => coverage.has(id, status))
    .map(({ id, status }) => ({ operation: id, status, waiver: null }));
  const unseen = lines
    .filter(({ id, status }) => !coverage.has(id, status))
    .map(({ operation, status, id }) => ({
      operation: id,
      status,
      waiver: generalWaiver(operation, status) ?? waiverOf(operation, status),
    }));
  return {
    seen,
    waived: unseen.filter(({ waiver }) => waiver !== null),
    missing: unseen.filter(({ waiver }) => waiver === null),
  };
}

function statusesOf({ endpoint }: Operation): number[] {
  return Object.keys(endpoint.responses).map(Number);
}

function generalWaiver(operation: Operation, status: number): string | null {
  const { endpoint, id } = operation;
  const named = namedWaivers[`${id} ${status}`];
  if (named !== undefined) return named;
  const codes = endpoint.metadata.errors.filter((code) => errorCatalogue[code].status === status);
  if (codes.length === 0) return null;
  const isInput = (code: ErrorCode) => code === 'validation_failed' || code === 'malformed_request';
  if (codes.every(isInput) && !hasRejectableInput(operation))
    return 'takes no input that could be invalid';
  if (codes.every((code) => code === 'permission_denied') && isAllowedToEveryone(operation)) {
    return 'every role may do this';
  }
  const reasons = codes.map((code) => unreachableCodes[code]);
  return reasons.every((reason) => reason !== undefined) ? [...new Set(reasons)].join('; ') : null;
}

/** Whether the operation takes an input that can be invalid. */
function hasRejectableInput(operation: Operation): boolean {
  const { endpoint } = operation;
  if (endpoint.method !== 'GET' || 'pathParams' in endpoint) return true;
  const query = querySchemaOf(operation);
  const takesAnything =
    query === null || query.safeParse({ code: '\0', state: '\0', error: '\0', page: '0' }).success;
  return 'x-organization-id' in endpoint.headers || !takesAnything;
}

function isAllowedToEveryone({ endpoint }: Operation): boolean {
  const { access } = endpoint.metadata;
  if (access.kind !== 'member') return false;
  return Object.values(permissionMatrix[access.permission]).every((reach) => reach === 'any');
}
