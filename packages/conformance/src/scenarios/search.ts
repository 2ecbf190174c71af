import { searchTypes } from '@atelier/contract';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { newWord, search, untilFound, type Hit, type Searcher } from '../searching.ts';

const found: Check = {
  id: 'search.found',
  group: 'search',
  title: 'a task is found by title, key, description and comment, and gone when it is deleted',
  run: async ({ probe, fixtures: { owner } }) => {
    const rule = 'search.found';
    const { token } = owner;
    const [title, described, noted] = [newWord(), newWord(), newWord()];
    const project = await newProject(probe, { token });
    const id = await newTask(
      probe,
      { searcher: { token }, projectId: project.id },
      {
        title: `Lamp ${title}`,
        description: `Of ${described}.`,
      },
    );
    const { id: commentId } = await probe.succeed('comments.create', {
      token,
      params: { taskId: id },
      body: { body: `See ${noted}!` },
    });
    const isTask = (hit: Hit) => hit.type === 'task' && hit.id === id;
    for (const q of [title, title.slice(0, 6), described, `lamp ${described}`]) {
      await untilFound(probe, { token }, { query: { q }, fits: isTask });
    }
    const comment = (hit: Hit) => hit.type === 'comment' && hit.id === commentId;
    const { hit: note } = await untilFound(
      probe,
      { token },
      { query: { q: noted }, fits: comment },
    );
    const byKey = await search(probe, { token }, { q: `${project.key}-1` });
    const [first] = byKey.page.items;
    probe.expect({
      rule,
      response: byKey.response,
      holds: first?.id === id && first.key === `${project.key}-1` && first.match === 'exact',
      expected: 'the task with the key first, matching exactly',
    });
    const suggested = await probe.request('search.suggest', {
      token,
      query: { q: title.slice(0, 6) },
    });
    const { items } = probe.dataIn('search.suggest', suggested);
    probe.expect({
      rule,
      response: suggested,
      holds: items.some((item) => item.id === id) && items.every(({ type }) => type !== 'comment'),
      expected: 'the title of the task, and no comment',
    });
    await probe.succeed('tasks.remove', { token, params: { id } });
    for (const q of [title, described, noted]) {
      const { response, page } = await search(probe, { token }, { q });
      const isGone = page.items.every((hit) => hit.id !== id && hit.id !== note.id);
      const holds = isGone && page.totals.all === page.items.length;
      probe.expect({ rule, response, holds, expected: 'neither a hit nor a count' });
    }
  },
};

const ranked: Check = {
  id: 'search.ranked',
  group: 'search',
  title: 'similar words follow the same ones, accents are folded, and highlights are text',
  run: async ({ probe, fixtures: { owner } }) => {
    const rule = 'search.ranked';
    const { token } = owner;
    const word = newWord();
    const { id: projectId } = await newProject(probe, { token });
    const similar = await newTask(
      probe,
      { searcher: { token }, projectId },
      { title: `Lighthouse ${word}` },
    );
    const same = await newTask(
      probe,
      { searcher: { token }, projectId },
      { title: `Lighthuose ${word}` },
    );
    const isSimilar = (hit: Hit) => hit.id === similar;
    const isSame = (hit: Hit) => hit.id === same;
    const both = { q: `lighthuose ${word} ` };
    await untilFound(probe, { token }, { query: { q: `lighthouse ${word}` }, fits: isSimilar });
    const { page, response } = await untilFound(probe, { token }, { query: both, fits: isSame });
    const places = [page.items.findIndex(isSame), page.items.findIndex(isSimilar)];
    probe.expect({
      rule,
      response,
      holds: places[0] === 0 && places[1] !== undefined && places[1] > 0,
      expected: 'the task with the word first, then the one with a similar word',
      actual: page.items.map(({ title, match }) => `${title} (${match})`).join(', '),
    });
    probe.expect({
      rule,
      response,
      holds: page.items.find(isSimilar)?.match === 'similar',
      expected: '"match" similar of a typing error',
    });

    const markup = `<img src=x onerror=alert(1)> 👩‍💻 Grüße ${word}`;
    const id = await newTask(probe, { searcher: { token }, projectId }, { title: markup });
    for (const typed of ['grusse', 'GRÜSSE']) {
      const fits = (hit: Hit) => hit.id === id;
      const query = { q: `onerror ${typed} ${word}` };
      const { hit, response: marked } = await untilFound(probe, { token }, { query, fits });
      const inTitle = hit.highlights.find(({ field }) => field === 'title');
      const parts = (inTitle?.ranges ?? []).map(([start, end]) => inTitle?.text.slice(start, end));
      probe.expect({
        rule,
        response: marked,
        holds: inTitle?.text === markup && parts.join() === ['onerror', 'Grüße', word].join(),
        expected: 'the title as it is, and the ranges of the words',
        actual: JSON.stringify(hit.highlights),
      });
    }
  },
};

const paged: Check = {
  id: 'search.paged',
  group: 'search',
  title: 'totals are what is read by cursor, each item once',
  run: async ({ probe, fixtures: { viewer } }) => {
    const rule = 'search.paged';
    const { token } = viewer;
    const word = newWord();
    const { id: projectId } = await newProject(probe, { token }, `Project ${word}`);
    for (const number of [1, 2, 3, 4, 5]) {
      await newTask(probe, { searcher: { token }, projectId }, { title: `${word} ${number}` });
    }
    const last = (hit: Hit) => hit.title === `${word} 5`;
    await untilFound(probe, { token }, { query: { q: word }, fits: last });
    const isProject = (hit: Hit) => hit.id === projectId;
    await untilFound(probe, { token }, { query: { q: word }, fits: isProject });
    const first = await search(probe, { token }, { q: word, limit: '2' });
    const { totals } = first.page;
    const keys: string[] = [];
    let { page } = first;
    let { response } = first;
    for (;;) {
      keys.push(...page.items.map(({ type, id }) => `${type} ${id}`));
      const cursor = page.pagination.nextCursor;
      // More pages than items would be a cursor that goes round.
      if (cursor === undefined || keys.length > 12) break;
      ({ page, response } = await search(probe, { token }, { q: word, limit: '2', cursor }));
    }
    const counts = Object.fromEntries(
      searchTypes.map((type) => [type, keys.filter((key) => key.startsWith(`${type} `)).length]),
    );
    probe.expectFields({ rule, response, actual: totals, expected: { all: 6, byType: counts } });
    const isOnce = new Set(keys).size === keys.length;
    probe.expect({ rule, response, holds: isOnce, expected: 'no item twice' });
    const onlyTasks = await search(probe, { token }, { q: word, types: 'task' });
    probe.expectFields({
      rule,
      response: onlyTasks.response,
      actual: onlyTasks.page.totals,
      expected: { all: 5, byType: counts },
    });
    const cursor = first.page.pagination.nextCursor ?? '';
    for (const query of [
      { q: `${word} 1`, cursor },
      { q: word, cursor: 'eyJpZCI6IjEifQ' },
    ]) {
      const refused = await probe.request('search.find', { token, query });
      probe.expectRefusal(rule, refused, 'validation_failed');
    }
  },
};

const invalid: Check = {
  id: 'search.query',
  group: 'search',
  title: 'a query of signs only is refused, and any other is text',
  isReading: true,
  run: async ({ probe, fixtures: { outsider } }) => {
    const { token } = outsider;
    for (const q of ['!?', ' ', '-word', '""']) {
      const refused = await probe.request('search.find', { token, query: { q } });
      probe.expectRefusal('search.query', refused, 'search_query_invalid');
      const suggested = await probe.request('search.suggest', { token, query: { q } });
      probe.expectRefusal('search.query', suggested, 'search_query_invalid');
    }
    for (const q of [
      "a' | b & !c <-> d:* \\",
      '"a',
      'x'.repeat(200),
      'a\u202eb 漢',
      'colour:red',
    ]) {
      await search(probe, { token }, { q });
    }
    const { page, response } = await search(
      probe,
      { token },
      { q: 'abcdefghijklm'.split('').join(' ') },
    );
    const holds = !page.isComplete;
    probe.expect({ rule: 'search.query', response, holds, expected: 'isComplete false' });
  },
};

const isolated: Check = {
  id: 'search.isolated',
  group: 'search',
  title: 'another organization is neither named nor counted, and a key finds what its scopes read',
  run: async ({ probe, fixtures: { owner, outsider, team } }) => {
    const rule = 'isolation.search';
    const word = newWord();
    const title = `Secret ${word}`;
    const inTeam = { token: owner.token, organizationId: team.id };
    const project = await newProject(probe, inTeam, title);
    await newTask(probe, { searcher: inTeam, projectId: project.id }, { title });
    const isProject = (hit: Hit) => hit.id === project.id;
    const query = { q: word };
    await untilFound(probe, inTeam, { query, fits: isProject });
    await untilFound(probe, inTeam, { query, fits: ({ type }) => type === 'task' });
    const everywhere = { ...query, scope: 'everywhere' };
    await untilFound(probe, { token: owner.token }, { query: everywhere, fits: isProject });
    for (const [searcher, asked] of [
      [{ token: outsider.token }, query],
      [{ token: outsider.token }, everywhere],
      [{ token: owner.token }, query],
    ] as const) {
      const { response, page } = await search(probe, searcher, asked);
      const { items, totals, correctedQuery } = page;
      const holds = items.length === 0 && totals.all === 0 && correctedQuery === null;
      probe.expect({ rule, response, holds, expected: 'neither hits nor counts' });
    }
    const own = await newProject(probe, { token: outsider.token }, title);
    const fits = (hit: Hit) => hit.id === own.id;
    const { page, response } = await untilFound(
      probe,
      { token: outsider.token },
      { query: everywhere, fits },
    );
    const holds = page.items.length === 1 && page.totals.all === 1;
    probe.expect({ rule, response, holds, expected: 'only what is their own' });
    const outside = { token: outsider.token, organizationId: team.id, query };
    const refused = await probe.request('search.find', outside);
    probe.expectRefusal(rule, refused, 'organization_access_denied');

    const { key } = await probe.succeed('apiKeys.create', {
      token: owner.token,
      body: {
        name: 'Search of projects',
        scopes: ['search:use', 'project:read'],
        organizationIds: [team.id],
      },
    });
    const byKey = await search(probe, { token: key }, everywhere);
    probe.expectFields({
      rule,
      response: byKey.response,
      actual: byKey.page.totals.byType,
      expected: { project: 1, task: 0 },
    });
  },
};

const rebuilt: Check = {
  id: 'search.rebuilt',
  group: 'search',
  title: 'the index is built anew by administrators, and searches go on',
  run: async ({ probe, fixtures: { owner, viewer, outsider } }) => {
    const rule = 'search.rebuilt';
    const { token } = owner;
    const word = newWord();
    const { id } = await probe.succeed('organizations.create', {
      token,
      body: { name: `Search ${word}` },
    });
    const inTeam = { token, organizationId: id };
    const project = await newProject(probe, inTeam, `Project ${word}`);
    const fits = (hit: Hit) => hit.id === project.id;
    await untilFound(probe, inTeam, { query: { q: word }, fits });
    for (const stranger of [viewer, outsider]) {
      const refused = await probe.request('search.rebuild', {
        token: stranger.token,
        params: { id },
      });
      probe.expectRefusal(rule, refused, 'not_found');
    }
    await probe.succeed('search.rebuild', { token, params: { id } });
    const { response, page } = await search(probe, inTeam, { q: word });
    probe.expect({ rule, response, holds: page.items.some(fits), expected: 'the project still' });
  },
};

async function newProject(probe: Probe, searcher: Searcher, name = `Project ${newWord()}`) {
  return probe.succeed('projects.create', { ...searcher, body: { name } });
}

async function newTask(
  probe: Probe,
  { searcher, projectId }: { searcher: Searcher; projectId: string },
  body: { readonly title: string; readonly description?: string },
): Promise<string> {
  const params = { projectId };
  const { id } = await probe.succeed('tasks.create', { ...searcher, params, body });
  return id;
}

export const searchScenarios: readonly Check[] = [found, ranked, paged, isolated, rebuilt, invalid];
