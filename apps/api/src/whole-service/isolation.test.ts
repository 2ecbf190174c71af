// @module-tag slow

import type { Operation } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { users } from '../db/generated/schema.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, type CallOptions, type TestResponse } from '../testing/api.ts';
import { openStream } from '../testing/event-streams.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import { fingerprintsOf, idsIn, rowsOfOrganization } from '../testing/fingerprints.ts';
import { untilFollowed, untilIdle } from '../testing/library.ts';
import { crossTenantInputs } from './cross-tenant-inputs.ts';
import type { Input } from '../testing/feature-fixtures.ts';
import { inOrderOfLife, inputsOf, operationsOfAccounts, placeOf } from './fixtures.ts';
import { joinTeam } from '../testing/organizations.ts';
import { idPlacesOf, queryVariations } from '../testing/query-variations.ts';
import { setUpApi } from '../testing/set-up.ts';

const [ourMark, theirMark] = ['apfelbaum', 'birnbaum'];
/** The owners of one team each. */
let alice: TestUser;
let bob: TestUser;
/** An owner of both. */
let dora: TestUser;
let operator: TestUser;
let ours: FilledTeam;
let theirs: FilledTeam;

/** The responses to Alice before the other team exists. */
const alone = new Map<string, string>();
/** Ids that only occur in the other team's rows. */
let foreignIds: Set<string>;

const api = await setUpApi();
beforeAll(async () => {
  const [first, second, third, fourth, ourMember, theirMember] = await Promise.all(
    [ourMark, theirMark, 'dora', 'operator', ourMark, theirMark].map((name) => newUser(api, name)),
  );
  if (!first || !second || !third || !fourth || !ourMember || !theirMember) throw new Error();
  [alice, bob, dora, operator] = [first, second, third, fourth];
  await api.db.update(users).set({ platformRole: 'ADMIN' }).where(eq(users.id, operator.id));
  ours = await filledTeam(api, { owner: alice, member: ourMember, mark: ourMark, times: 2 });
  await joinTeam(api, ours.organizationId, dora, 'OWNER');
  // What follows changes takes them a little later: the same responses later contain them.
  await untilFollowed(api);
  await untilIdle(api);
  for (const { name, response } of await readAll(alice)) alone.set(name, comparable(response));

  // More records of every kind than in the first team, so that their counts always differ.
  theirs = await filledTeam(api, { owner: bob, member: theirMember, mark: theirMark, times: 3 });
  await joinTeam(api, theirs.organizationId, dora, 'OWNER');
  await untilFollowed(api);
  await sendMails();
  const ourIds = idsIn(await rowsOfOrganization(api, ours.organizationId));
  const theirIds = idsIn(await rowsOfOrganization(api, theirs.organizationId));
  foreignIds = new Set([...theirIds].filter((id) => !ourIds.has(id)));
});

/** Sends the mails about what has happened, which would follow after a minute, in the middle of a comparison. */
async function sendMails(): Promise<void> {
  await untilIdle(api);
  await api.db.execute(sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    from graphile_worker.jobs where task_identifier = 'send_notification_mail'`);
  await untilIdle(api);
}

/**
 * Every authenticated operation. An invitation is a secret that is meant for outsiders, and an account that leaves has no
 * team of its own.
 */
const known = operationsOfAccounts.filter(
  ({ id }) => !['organizations.acceptInvitation', 'account.requestDeletion'].includes(id),
);
const reads = known.filter(({ endpoint }) => endpoint.method === 'GET');
const takesHeader = ({ endpoint }: Operation) => 'x-organization-id' in endpoint.headers;
/** Its response is about the selected organization, for any caller. */
const isAboutOrganization = ({ endpoint }: Operation) => endpoint.metadata.access.kind !== 'user';

const ask = (
  operation: Operation,
  { as, input, team = ours }: { as: TestUser; input: CallOptions; team?: FilledTeam },
) =>
  call(api, operation.id, {
    ...input,
    token: as.token,
    ...(takesHeader(operation) && { organizationId: team.organizationId }),
  });

/** Requests a read with every variation. */
async function readInEveryWay(operation: Operation, as: TestUser) {
  const { id, endpoint } = operation;
  const responses: { name: string; response: TestResponse }[] = [];
  for (const [index, input] of inputsOf(id, ours).entries()) {
    const variations = index === 0 ? queryVariations(endpoint.query, [ourMark, theirMark]) : [];
    for (const variation of [{}, ...variations]) {
      const query = { ...input.query, ...variation };
      const name = `${id} ${JSON.stringify({ ...input, query })}`;
      responses.push({ name, response: await ask(operation, { as, input: { ...input, query } }) });
    }
  }
  return responses;
}

async function readAll(as: TestUser) {
  const responses = [];
  for (const operation of reads) responses.push(...(await readInEveryWay(operation, as)));
  return responses;
}

/** Removes what changes over time: signatures, cursors and timestamps of the response. */
const comparable = ({ status, text }: TestResponse) =>
  `${status} ${text
    .replaceAll(/\?[^"]*X-Amz-[^"]*/g, '?signed')
    .replaceAll(/"(generatedAt|expiresAt|nextCursor)":"[^"]*"/g, '"$1":""')
    .replaceAll(/"requestId":"req_[^"]*"/g, '')}`;

function expectNothingForeign(name: string, { text }: Pick<TestResponse, 'text'>) {
  const found = [...idsIn([text])].filter((id) => foreignIds.has(id));
  expect([name, found, text.toLowerCase().includes(theirMark)]).toEqual([name, [], false]);
}

describe('reading', () => {
  test.each(reads)('$id reveals nothing of the other organization', async (operation) => {
    const administrates = operation.endpoint.metadata.access.kind === 'administrator';
    const readers = [
      alice,
      ...(isAboutOrganization(operation) ? [dora] : []),
      ...(administrates ? [operator] : []),
    ];
    for (const as of readers) {
      for (const { name, response } of await readInEveryWay(operation, as)) {
        expect([name, response.status]).toEqual([name, as === dora ? expect.any(Number) : 200]);
        // Both teams are hers.
        if (as === dora && name.includes('"scope":"everywhere"')) continue;
        expectNothingForeign(name, response);
        if (as === alice) expect([name, comparable(response)]).toEqual([name, alone.get(name)]);
      }
    }
  });

  test('the inputs would have found rows of the other organization', async () => {
    const responses = [];
    for (const operation of reads.filter(takesHeader)) {
      for (const input of inputsOf(operation.id, theirs)) {
        responses.push((await ask(operation, { as: bob, input, team: theirs })).text);
      }
    }
    const { organizationId, binnedAssetId, taskId, commentId, assetId, projectId } = theirs;
    for (const id of [organizationId, binnedAssetId, taskId, commentId, assetId, projectId]) {
      expect(foreignIds).toContain(id);
      expect(responses.some((text) => text.includes(id))).toBe(true);
    }
  });

  const continued = reads.filter(
    (operation) =>
      takesHeader(operation) &&
      queryNames(operation).includes('cursor') &&
      operation.id !== 'assets.myLogs',
  );
  test.each(continued)(
    '$id does not go on where a page of the other one ended',
    async (operation) => {
      const [theirInput = {}] = inputsOf(operation.id, theirs);
      const [ourInput = {}] = inputsOf(operation.id, ours);
      const input = { ...theirInput, query: { ...requiredQuery(operation, theirInput), limit: 1 } };
      const { body } = await ask(operation, { as: bob, input, team: theirs });
      const cursor = body.data.pagination.nextCursor;
      expect(cursor).toEqual(expect.any(String));
      for (const as of [alice, dora]) {
        const query = { ...requiredQuery(operation, ourInput), cursor };
        const response = await ask(operation, { as, input: { ...ourInput, query } });
        expectNothingForeign(operation.id, response);
        expect([200, 400]).toContain(response.status);
      }
    },
  );
});

test('a stream does not resume from a position of the other organization', async () => {
  const [organizationId, token] = [theirs.organizationId, dora.token];
  const stream = await openStream(api, { token, organizationId });
  const headers = { 'last-event-id': String(stream.lastId) };
  const requested = { token, organizationId: ours.organizationId, headers };
  expect((await call(api, 'events.subscribe', requested)).status).toBe(400);
  stream.leave();
});

/** The query of an input whose operation does nothing without one. */
function requiredQuery({ endpoint }: Operation, { query }: Input): Input['query'] {
  const { query: schema } = endpoint;
  return schema instanceof z.ZodType && !schema.safeParse({}).success ? query : {};
}

function queryNames({ endpoint }: Operation): string[] {
  const query: unknown = endpoint.query;
  const shape = query !== null && typeof query === 'object' && 'shape' in query ? query.shape : {};
  return Object.keys(shape ?? {});
}

/** Error codes of a 400 for a missing record. */
const refusals400 = ['assignee_not_member', 'upload_mismatch', 'avatar_invalid'];

describe('ids of the other organization', () => {
  const naming = known.filter(({ endpoint }) => idPlacesOf(endpoint).length > 0);

  test.each(naming)('$id has one tried in each of its places', ({ id, endpoint }) => {
    const tried = crossTenantInputs({ id, endpoint }, { ours, theirs }).flatMap(
      ({ places }) => places,
    );
    const untried = idPlacesOf(endpoint).filter((place) => !tried.includes(place));
    expect(untried.map((place) => `add ${place} to an input of ${placeOf(id)}`)).toEqual([]);
  });

  test.each(naming)('$id finds none of them, and changes nothing', async (operation) => {
    const before = await fingerprintsOf(api);
    for (const { field, input } of crossTenantInputs(operation, { ours, theirs })) {
      for (const as of isAboutOrganization(operation) ? [alice, dora] : [alice]) {
        // In her own path the other team is hers.
        if (as === dora && field === 'organizationId') continue;
        const response = await ask(operation, { as, input });
        expectNothingForeign(field, { ...response, text: withoutRequest(response.text, input) });
        expect([field, foundNothing(operation, response)]).toEqual([field, true]);
      }
    }
    expect(await fingerprintsOf(api)).toEqual(before);
  });

  test.each(known.filter(takesHeader))(
    '$id refuses the other one in the header',
    async (operation) => {
      const before = await fingerprintsOf(api);
      for (const team of [ours, theirs]) {
        for (const input of inputsOf(operation.id, team)) {
          const { status, body } = await ask(operation, { as: alice, input, team: theirs });
          expect([status, body.code]).toEqual([403, 'organization_access_denied']);
        }
      }
      expect(await fingerprintsOf(api)).toEqual(before);
    },
  );
});

/** Checks whether a response is empty: refused, a list and counts without anything, or a change of nothing. */
function foundNothing({ endpoint }: Operation, { status, body }: TestResponse): boolean {
  if (status === 404) return body.code === 'not_found';
  if (status === 400) return refusals400.includes(body.code);
  if (status !== 200) return false;
  if (endpoint.method !== 'GET') {
    const { changedCount, assetCount, collectionCount } = body.data ?? {};
    return (changedCount ?? assetCount + collectionCount) === 0;
  }
  return (body.data.pagination ?? body.data).total === 0;
}

/** The caller's own input reveals nothing. */
function withoutRequest(text: string, input: Input): string {
  return [...idsIn([JSON.stringify(input)])].reduce((rest, id) => rest.replaceAll(id, ''), text);
}

describe('changing one organization', () => {
  test('every mutation succeeds with its own ids, does not change the other organization, and is not announced there', async () => {
    await untilFollowed(api);
    await untilIdle(api);
    const before = await rowsOfOrganization(api, theirs.organizationId);
    const [ourStream, theirStream, dorasOfTheirs] = await Promise.all([
      openStream(api, { token: dora.token, organizationId: ours.organizationId }),
      openStream(api, { token: bob.token, organizationId: theirs.organizationId }),
      openStream(api, { token: dora.token, organizationId: theirs.organizationId }),
    ]);
    for (const operation of inOrderOfLife(
      known.filter(({ endpoint }) => endpoint.method !== 'GET'),
    )) {
      for (const input of inputsOf(operation.id, ours)) {
        const { status, body } = await ask(operation, { as: alice, input });
        expect([operation.id, body?.code, status]).toEqual([
          operation.id,
          undefined,
          operation.endpoint.metadata.success.status,
        ]);
      }
    }
    await untilIdle(api);
    expect(await rowsOfOrganization(api, theirs.organizationId)).toEqual(before);

    await ourStream.change(ours.taskId);
    const { collectionId: id } = theirs;
    await call(api, 'collections.rename', {
      params: { id },
      body: { title: 'Heard' },
      token: bob.token,
      organizationId: theirs.organizationId,
    });
    for (const stream of [theirStream, dorasOfTheirs]) {
      await stream.change(id);
      expect(stream.names()).toEqual(['Heard']);
      stream.leave();
    }
    expectNothingForeign('events', { text: JSON.stringify(ourStream.messages) });
    ourStream.leave();
  });
});
