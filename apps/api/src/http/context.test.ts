import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { collections } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import { newUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';

const api = await setUpApi();
const [user, stranger] = await Promise.all([newUser(api), newUser(api)]);
const team = await newTeam(api, user, 'Mine');
const foreign = await newTeam(api, stranger, 'Theirs');

/** Posts a collection with one header line for each value, unlike any client of this repository. */
async function createWithLines(values: string[]) {
  const sending = request(`${api.url}/api/collections/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user.token}`,
      'content-type': 'application/json',
      'x-organization-id': values,
    },
  });
  sending.end(JSON.stringify({ title: 'By lines' }));
  return new Promise<{ status: number | undefined; body: Record<string, unknown> }>(
    (resolve, reject) => {
      sending.on('error', reject);
      sending.on('response', (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
      });
    },
  );
}

describe('an operation whose organization the header names', () => {
  test('accepts one line', async () => {
    const { status, body } = await createWithLines([team.id]);
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ organizationId: team.id }),
    ]);
  });

  test('refuses the header twice, even with the same value, and acts in neither', async () => {
    const countRows = () => api.db.$count(collections);
    const before = await countRows();
    for (const values of [
      [team.id, team.id],
      [team.id, foreign.id],
      [foreign.id, team.id],
      [user.organizationId, ''],
      ['', user.organizationId],
    ]) {
      const { status, body } = await createWithLines(values);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    }
    expect(await countRows()).toBe(before);
  });

  test.each([
    ['malformed', () => 'mine', 400, 'validation_failed'],
    ['empty', () => '', 400, 'validation_failed'],
    ['unknown', newId, 403, 'organization_access_denied'],
    ['foreign', () => foreign.id, 403, 'organization_access_denied'],
    ['personal of another', () => stranger.organizationId, 403, 'organization_access_denied'],
  ])('refuses one that is %s', async (_, organizationId, status, code) => {
    const response = await call(api, 'collections.create', {
      token: user.token,
      organizationId: organizationId(),
      body: { title: 'x' },
    });
    expect([response.status, response.body.code]).toEqual([status, code]);
  });
});

describe('an operation whose organization the path names', () => {
  test('ignores the header', async () => {
    for (const organizationId of [foreign.id, newId(), 'malformed', user.organizationId]) {
      const options = { token: user.token, organizationId, params: { id: team.id } };
      const read = await call(api, 'organizations.get', options);
      expect([read.status, read.body.data.id]).toEqual([200, team.id]);
      const renamed = await call(api, 'organizations.rename', {
        ...options,
        body: { name: 'Renamed' },
      });
      expect([renamed.status, renamed.body.data.id]).toEqual([200, team.id]);
    }
    const theirs = { token: stranger.token, params: { id: foreign.id } };
    expect((await call(api, 'organizations.get', theirs)).body.data.name).toBe('Theirs');
  });

  test('grants no right that the header would grant elsewhere', async () => {
    await joinTeam(api, foreign.id, user, 'VIEWER');
    const byPath = { token: user.token, organizationId: team.id, params: { id: foreign.id } };
    const viewer = await call(api, 'organizations.rename', { ...byPath, body: { name: 'Mine' } });
    expect([viewer.status, viewer.body.code]).toEqual([403, 'permission_denied']);
    for (const id of [stranger.organizationId, newId()]) {
      const response = await call(api, 'organizations.get', { ...byPath, params: { id } });
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    const theirs = { token: stranger.token, params: { id: foreign.id } };
    expect((await call(api, 'organizations.get', theirs)).body.data.name).toBe('Theirs');
  });
});
