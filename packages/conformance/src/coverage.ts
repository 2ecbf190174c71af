import {
  errorCatalogue,
  operations,
  permissionMatrix,
  type ErrorCode,
  type Operation,
  type OperationId,
} from '@atelier/contract';
import { querySchemaOf } from './valid-requests.ts';

export interface CoverageLine {
  readonly operation: OperationId;
  readonly status: number;
  /** Null where it was seen. */
  readonly waiver: string | null;
}

export interface CoverageReport {
  readonly seen: readonly CoverageLine[];
  readonly waived: readonly CoverageLine[];
  /** Declared, neither seen nor waived. */
  readonly missing: readonly CoverageLine[];
}

/** Codes that nobody can cause from outside, or only at the cost of everybody else. */
const unreachableCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  internal_error: 'needs a defect',
  service_unavailable: 'needs the database away',
  storage_unavailable: 'needs the storage away',
  rate_limited: 'would lock out whoever else calls from here',
  idempotency_in_flight: 'needs two requests to meet at one instant',
  plan_limit_reached: 'needs a plan filled to its limit',
  too_many_open_uploads: 'needs as many open uploads as are allowed',
  account_suspended: "needs the operator's command line",
  conflict: 'needs two changes to meet at one instant',
};

/** What one operation can't be brought to from outside. */
const namedWaivers: Readonly<Record<string, string>> = {
  'organizations.acceptInvitation 409':
    'a member has no open invitation, so that two requests would have to meet',
};

/** Which statuses of which operations were seen. */
export class Coverage {
  readonly #seen = new Set<string>();

  note(operation: OperationId, status: number): void {
    this.#seen.add(`${operation} ${status}`);
  }

  has(operation: OperationId, status: number): boolean {
    return this.#seen.has(`${operation} ${status}`);
  }
}

/**
 * Compares what was seen with what the contract declares.
 *
 * @param selected - the operations that were to be checked
 * @param waiverOf - a reason of the run's own, such as a missing option; null for none
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
      waiver: standingWaiver(operation, status) ?? waiverOf(operation, status),
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

function standingWaiver(operation: Operation, status: number): string | null {
  const { endpoint, id } = operation;
  const named = namedWaivers[`${id} ${status}`];
  if (named !== undefined) return named;
  const codes = endpoint.metadata.errors.filter((code) => errorCatalogue[code].status === status);
  if (codes.length === 0) return null;
  const isInput = (code: ErrorCode) => code === 'validation_failed' || code === 'malformed_request';
  if (codes.every(isInput) && !hasRefusableInput(operation))
    return 'takes nothing that could be wrong';
  if (codes.every((code) => code === 'permission_denied') && isAllowedToEveryone(operation)) {
    return 'every role may do this';
  }
  const reasons = codes.map((code) => unreachableCodes[code]);
  return reasons.every((reason) => reason !== undefined) ? [...new Set(reasons)].join('; ') : null;
}

/** Whether there is an input that the contract can refuse. */
function hasRefusableInput(operation: Operation): boolean {
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
