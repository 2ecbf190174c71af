import type { OperationId } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { call, type CallOptions, type TestApi } from './api.ts';
import type { Input, InputsOf, RecordMaker, RecordRequest, Story } from './feature-fixtures.ts';
import { joinTeam } from './organizations.ts';

/** No path, no query, no body. */
export const noInput: InputsOf = () => [{}];

/** Combines each input with each body. */
export const withBody =
  (inputs: InputsOf, ...bodies: ((team: Parameters<InputsOf>[0]) => unknown)[]): InputsOf =>
  (team) =>
    inputs(team).flatMap((input) => bodies.map((body): Input => ({ ...input, body: body(team) })));

/** Inputs of activity lists: also filtered by actor, by resource and by API key. */
export const withActivityFilters =
  (inputs: InputsOf): InputsOf =>
  (team) =>
    inputs(team).flatMap((input) => [
      input,
      { ...input, query: { actorId: team.ownerUserId } },
      { ...input, query: { resourceId: team.collectionId } },
      { ...input, query: { apiKeyId: team.apiKeyId } },
    ]);

/** Requests an operation as the team's founder. @returns the `data` of the success */
export async function makeRecord(
  { api, teamId, founder }: RecordRequest,
  operation: OperationId,
  options: CallOptions,
) {
  const { status, body } = await call(api, operation, {
    token: founder.token,
    organizationId: teamId,
    ...options,
  });
  expect([operation, status < 300, body?.code]).toEqual([operation, true, undefined]);
  return body.data;
}

/**
 * Assigns a record to its author. Roles that can't create a record may still own an older one.
 *
 * @param column - of the table, such as `created_by`
 */
export async function giveTo(
  { api, author }: RecordRequest,
  { table, column, id }: { table: string; column: string; id: string },
): Promise<void> {
  await api.db.execute(
    sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${author.id} where id = ${id}`,
  );
}

/** Creates a record with an operation that takes a body. */
export const recordWithBody =
  (record: RecordMaker, body: unknown): RecordMaker =>
  async (request) => ({ ...(await record(request)), body });

/** Creates a record and moves it to the bin. */
export const recordInBin =
  (record: RecordMaker, removal: 'collections.remove' | 'assets.remove'): RecordMaker =>
  async (request) => {
    const made = await record(request);
    await makeRecord(request, removal, made);
    return made;
  };

/** A step of ada's in the team of a story. */
export function stepOf({ people: { ada }, teamId }: Story) {
  return (params: Record<string, string | number>, body?: unknown) => ({
    as: ada,
    input: { organizationId: teamId, params, ...(body !== undefined && { body }) },
  });
}

/** Requests a mutation as ada in the team of a story. @returns the id of the new record */
export async function madeInStory(
  { api, people: { ada }, teamId }: Story,
  operation: OperationId,
  options: CallOptions,
): Promise<string> {
  const { body } = await call(api, operation, {
    token: ada.token,
    organizationId: teamId,
    ...options,
  });
  expect([operation, body?.code]).toEqual([operation, undefined]);
  return String(body.data.id);
}

/** The team of a story. */
export async function newStoryTeam(
  api: TestApi,
  { ada, viewer }: Story['people'],
): Promise<{ teamId: string }> {
  const { body } = await call(api, 'organizations.create', {
    token: ada.token,
    body: { name: 'Analytical Engines' },
  });
  const teamId = String(body.data.id);
  await joinTeam(api, teamId, viewer, 'VIEWER');
  return { teamId };
}
