import { existsSync, readFileSync } from 'node:fs';
import type { TestModule, TestProject, Vitest } from 'vitest/node';
import { errorCatalogue, type ErrorCode } from '../packages/contract/src/errors.ts';
import { operations, type Operation } from '../packages/contract/src/operations.ts';

/**
 * Codes that one mechanism gives to every operation alike. The mechanism has tests of its own, so an
 * operation need not be seen with them.
 */
const genericCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  validation_failed: 'the router validates every operation by its contract',
  malformed_request: 'refused before a route is chosen',
  malformed_json: 'one parser reads every body',
  body_too_large: 'one parser reads every body',
  unsupported_media_type: 'one parser reads every body',
  unauthenticated: 'one hook authenticates by the declared access',
  organization_access_denied: 'one hook selects the organization by the declared access',
  permission_denied: 'one hook compares role and declared permission',
  idempotency_in_flight: 'one store of keys serves every operation that takes one',
  idempotency_key_reused: 'one store of keys serves every operation that takes one',
  rate_limited: 'one hook counts by the declared limit',
  internal_error: 'a defect, planted where the error handler is tested',
  storage_unavailable: 'one adapter says so for every call to the storage',
  precondition_failed: 'one comparison of ETags serves every operation that takes If-Match',
  service_unavailable: 'the database is taken away where the error handler is tested',
};

/** An operation and a status that it declares. */
export interface DeclaredStatus {
  readonly id: string;
  readonly status: number;
  /** Codes that stand behind the status; none for a success. */
  readonly codes: readonly ErrorCode[];
}

/**
 * What the operations declare and nobody has seen. Pure.
 *
 * @param seen - lines of `operation status`, as the tests note them
 */
export function unseenStatuses(
  declared: readonly DeclaredStatus[],
  seen: ReadonlySet<string>,
): DeclaredStatus[] {
  return declared.filter(({ id, status }) => !seen.has(`${id} ${status}`));
}

/** The statuses that an operation must have been seen with: its success, and the errors of its own. */
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

/**
 * Compares the answers that the API's tests have seen with what the contract declares.
 *
 * @returns a line per problem; nothing when only a part of the API's tests ran or one of them failed,
 *   because then the answers say little
 */
export async function checkStatusCoverage(
  vitest: Vitest,
  modules: readonly TestModule[],
): Promise<string[]> {
  const project = vitest.projects.find(({ name }) => name === 'api');
  if (!project || !(await ranWhole(vitest, project, modules))) return [];
  // Provided by the project's own global set-up, whose types are not loaded here.
  const { services } = project.getProvidedContext() as { services?: { answersFile?: string } };
  const answersFile = services?.answersFile ?? '';
  if (!existsSync(answersFile)) return ['the tests of the API have noted no answer'];

  const declared = operations.flatMap(statusesToSee);
  const seen = new Set(readFileSync(answersFile, 'utf8').trimEnd().split('\n'));
  return unseenStatuses(declared, seen).map(
    ({ id, status, codes }) =>
      `no test has seen ${id} answer ${status}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}`,
  );
}

async function ranWhole(vitest: Vitest, project: TestProject, modules: readonly TestModule[]) {
  if (vitest.getGlobalTestNamePattern() !== undefined) return false;
  const ran = modules.filter((module) => module.project === project);
  if (ran.some((module) => !module.ok())) return false;
  const files = new Set(ran.map(({ moduleId }) => moduleId));
  const { testFiles } = await project.globTestFiles();
  return testFiles.length > 0 && testFiles.every((file) => files.has(file));
}
