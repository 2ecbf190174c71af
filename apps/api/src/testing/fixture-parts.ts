import type { OperationId } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { call, type CallOptions, type TestApi } from './api.ts';
import type { Input, InputsOf, RecordMaker, RecordRequest, Story } from './feature-fixtures.ts';
import { joinTeam } from './organizations.ts';

/** No path, no query, no body. */
export const noInput: InputsOf = () => [{}];

/** Each input with each body. */
export const withBody =
  (inputs: InputsOf, ...bodies: ((team: Parameters<InputsOf>[0]) => unknown)[]): InputsOf =>
  (team) =>
    inputs(team).flatMap((input) => bodies.map((body): Input => ({ ...input, body: body(team) })));

/** Lists of activities: filtered by actor and by resource too. */
export const withActivityFilters =
  (inputs: InputsOf): InputsOf =>
  (team) =>
    inputs(team).flatMap((input) => [
      input,
      { ...input, query: { actorId: team.ownerUserId } },
      { ...input, query: { resourceId: team.collectionId } },
    ]);

/** Calls an operation as the team's founder. @returns the `data` of the success */
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
 * Gives a record to its author. Roles that can't make a record may still have one, from when they could.
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

/** A record whose operation takes a body. */
export const recordWithBody =
  (record: RecordMaker, body: unknown): RecordMaker =>
  async (request) => ({ ...(await record(request)), body });

/** A record that was moved to the bin. */
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

/** Calls a mutation as ada in the team of a story. @returns the id that was made */
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
