import { existsSync, readFileSync } from 'node:fs';
import type { TestModule, TestProject, Vitest } from 'vitest/node';
import { errorCatalogue, type ErrorCode } from '../packages/contract/src/errors.ts';
import { operations, type Operation } from '../packages/contract/src/operations.ts';

/**
 * Codes that one mechanism produces for every operation. The mechanism has tests of its own, so the tests of an
 * operation may omit them.
 */
const genericCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  validation_failed: 'the router validates every operation by its contract',
  malformed_request: 'rejected before routing',
  malformed_json: 'one parser reads every body',
  body_too_large: 'one parser reads every body',
  unsupported_media_type: 'one parser reads every body',
  unauthenticated: 'one hook authenticates by the declared access',
  organization_access_denied: 'one hook selects the organization by the declared access',
  permission_denied: 'one hook compares role and declared permission',
  idempotency_in_flight: 'one store of keys serves every operation that takes one',
  idempotency_key_reused: 'one store of keys serves every operation that takes one',
  rate_limited: 'one hook counts by the declared limit',
  internal_error: 'a defect, injected by the test of the error handler',
  storage_unavailable: 'one adapter reports it for every request to the storage',
  precondition_failed: 'one comparison of ETags serves every operation that takes If-Match',
  service_unavailable: 'the test of the error handler disconnects the database',
};

/** An operation and a status that it declares. */
export interface DeclaredStatus {
  readonly id: string;
  readonly status: number;
  /** The error codes of the status; none for a success. */
  readonly codes: readonly ErrorCode[];
}

/**
 * Lists the declared statuses that no test got.
 *
 * @param seen - lines of `operation status`, as the tests record them
 */
export function unseenStatuses(
  declared: readonly DeclaredStatus[],
  seen: ReadonlySet<string>,
): DeclaredStatus[] {
  return declared.filter(({ id, status }) => !seen.has(`${id} ${status}`));
}

/** Lists the statuses that a test has to get: the success and the operation's own errors. */
export function statusesToSee({ id, endpoint }: Operation): DeclaredStatus[] {
  const { success, errors } = endpoint.metadata;
  const codesByStatus = Map.groupBy(
    errors.filter((code) => genericCodes[code] === undefined),
    (code) => errorCatalogue[code].status,
  );
  return [
    { id, status: success.status, codes: [] },
    ...[...codesByStatus].map(([status, codes]) => ({ id, status, codes })),
  ];
}

/** The projects of `vitest.workspace.ts` with the tests of the API. */
const apiProjects = new Set(['api', 'api with mocks']);

/**
 * Compares the responses in the API's tests with the statuses that the contract declares.
 *
 * @returns a line for each missing status; none if only some of the API's tests ran or one failed, because then
 *   responses are missing for other reasons
 */
export async function checkStatusCoverage(
  vitest: Vitest,
  modules: readonly TestModule[],
): Promise<string[]> {
  const projects = vitest.projects.filter(({ name }) => apiProjects.has(name));
  const whole = await Promise.all(projects.map((project) => ranWhole(vitest, project, modules)));
  if (projects.length < apiProjects.size || !whole.every(Boolean)) return [];
  const recorded = projects.flatMap(recordedBy);
  if (recorded.length === 0) return ['the tests of the API recorded no responses'];

  const declared = operations.flatMap(statusesToSee);
  const seen = new Set(recorded);
  return unseenStatuses(declared, seen).map(
    ({ id, status, codes }) =>
      `${id} declares ${status}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}, and no test gets it: ` +
      `add one to apps/api/src/features/${id.split('.')[0]}`,
  );
}

/** @returns the responses that the tests of a project got, as the API's tests write them */
function recordedBy(project: TestProject): string[] {
  // Provided by the project's global set-up, whose types are not loaded here.
  const { services } = project.getProvidedContext() as { services?: { statusesFile?: string } };
  const statusesFile = services?.statusesFile ?? '';
  return existsSync(statusesFile) ? readFileSync(statusesFile, 'utf8').trimEnd().split('\n') : [];
}

async function ranWhole(vitest: Vitest, project: TestProject, modules: readonly TestModule[]) {
  const { tagsFilter = [] } = vitest.config;
  if (vitest.getGlobalTestNamePattern() !== undefined || tagsFilter.length > 0) return false;
  const ran = modules.filter((module) => module.project === project);
  if (ran.some((module) => !module.ok())) return false;
  const files = new Set(ran.map(({ moduleId }) => moduleId));
  const { testFiles } = await project.globTestFiles();
  return testFiles.length > 0 && testFiles.every((file) => files.has(file));
}
