// @module-tag slow

import { beforeAll, describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { newProject } from '../../testing/board.ts';
import { call } from '../../testing/api.ts';
import { untilFollowed, untilIdle, uploadFile, someFile } from '../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { search, suggest, titlesOf } from '../../testing/searches.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
let projectId: string;
const tasks = new Map<string, string>();

async function newTask(title: string, body: Record<string, unknown> = {}): Promise<string> {
  const made = await call(api, 'tasks.create', {
    ...team,
    params: { projectId },
    body: { title, ...body },
  });
  expect(made.status).toBe(201);
  tasks.set(title, made.body.data.id);
  return made.body.data.id;
}

async function collectionIn(title: string): Promise<string> {
  const { body } = await call(api, 'collections.create', { ...team, body: { title } });
  return body.data.id;
}

beforeAll(async () => {
  projectId = await newProject(api, team, 'Website');
  await newTask('Launch plan', { description: 'When the new Größenwahn page goes live' });
  await newTask('Grüße from the coast');
  await newTask('Write the imprint');
  await untilFollowed(api);
});

describe('a search', () => {
  test('finds a task by title, description, key and comment, until it is deleted', async () => {
    const id = await newTask('Translate the footer', { description: 'Into Portuguese' });
    const { body } = await call(api, 'comments.create', {
      ...team,
      params: { taskId: id },
      body: { body: 'The vocabulary is **settled**' },
    });
    await untilFollowed(api);
    const { data: task } = (await call(api, 'tasks.get', { ...team, params: { id } })).body;
    const { data: project } = (
      await call(api, 'projects.get', { ...team, params: { id: projectId } })
    ).body;
    for (const q of ['translate', 'footer trans', 'portuguese', `${project.key}-${task.number}`]) {
      const page = await search(api, team, { q });
      expect([q, page.items[0]?.id]).toEqual([q, id]);
    }
    const byKey = await search(api, team, { q: `${project.key}-${task.number}` });
    expect(byKey.items[0]).toMatchObject({ match: 'exact', key: `${project.key}-${task.number}` });
    const byComment = await search(api, team, { q: 'vocabulary' });
    expect(byComment.items).toMatchObject([
      {
        type: 'comment',
        id: body.data.id,
        title: 'Translate the footer',
        context: { task: { id } },
      },
    ]);
    await call(api, 'tasks.remove', { ...team, params: { id } });
    for (const q of ['translate', 'vocabulary']) {
      expect(await search(api, team, { q })).toMatchObject({ items: [], totals: { all: 0 } });
    }
  });

  test('finds beginnings while typing, folded spellings, and similar titles', async () => {
    expect(titlesOf(await search(api, team, { q: 'lau' }))).toEqual(['Launch plan']);
    // With a space after it, it is a whole word.
    expect((await search(api, team, { q: 'lau ' })).items).toMatchObject([{ match: 'similar' }]);
    for (const q of ['Grüße', 'grusse', 'GRUSSE']) {
      expect(titlesOf(await search(api, team, { q }))).toEqual(['Grüße from the coast']);
    }
    const similar = await search(api, team, { q: 'lanuch plann' });
    expect(similar).toMatchObject({
      items: [{ title: 'Launch plan', match: 'similar' }],
      totals: { all: 1, byType: { task: 1 } },
      correctedQuery: 'launch plan',
      isComplete: true,
    });
  });

  test('finds assets, collections, projects and people', async () => {
    const collectionId = await collectionIn('Harbour pictures');
    await uploadFile(api, team, someFile(10, 'pier at dawn.PNG'), { ...team, collectionId });
    const mate = await newUser(api, 'wilhelmina');
    await joinTeam(api, team.organizationId, mate, 'MEMBER');
    await untilFollowed(api);
    // The membership was made without an activity.
    const rebuilt = await call(api, 'search.rebuild', {
      token: team.token,
      params: { id: team.organizationId },
    });
    expect(rebuilt.status).toBe(201);
    await untilIdle(api);
    expect(await search(api, team, { q: 'harbour' })).toMatchObject({
      items: [{ type: 'collection' }, { type: 'asset', title: 'pier at dawn.PNG' }],
      totals: { byType: { collection: 1, asset: 1 } },
    });
    expect(titlesOf(await search(api, team, { q: '"dawn.png"' }))).toEqual(['pier at dawn.PNG']);
    expect(titlesOf(await search(api, team, { q: 'website', types: 'project' }))).toEqual([
      'Website',
    ]);
    expect((await search(api, team, { q: 'wilhelmina' })).items).toMatchObject([
      { type: 'person', id: mate.id },
    ]);
  });
});

describe('suggestions', () => {
  test('are titles that begin with the query, or have its words', async () => {
    expect((await suggest(api, team, { q: 'lau' })).items).toMatchObject([
      { title: 'Launch plan', ranges: [[0, 6]] },
    ]);
    expect((await suggest(api, team, { q: 'impr' })).items).toMatchObject([
      { title: 'Write the imprint' },
    ]);
    expect((await suggest(api, team, { q: 'groessenwahn' })).items).toEqual([]);
  });
});
