import type { Check } from '../check.ts';

const oneRow: Check = {
  id: 'timeline.one-row',
  group: 'timeline',
  title:
    'every successful mutation adds one row to the timeline; a refused or unchanged one adds none',
  run: async ({ probe, fixtures: { owner, outsider } }) => {
    const { token } = owner;
    const { id } = await probe.succeed('collections.create', { token, body: { title: 'Rows' } });
    const params = { id };
    const rename = (title: string) =>
      probe.request('collections.rename', { token, params, body: { title } });
    await rename('Renamed rows');
    await rename('Renamed rows');
    await rename('');
    await probe.request('collections.remove', { token: outsider.token, params });
    const mark = { token, params, body: { isFavorite: true } };
    await probe.succeed('collections.favorite', mark);
    await probe.succeed('collections.favorite', mark);
    await probe.succeed('collections.remove', { token, params });
    await probe.succeed('collections.restore', { token, params });
    const response = await probe.request('timeline.mine', { token, query: { resourceId: id } });
    const { items } = probe.dataIn('timeline.mine', response);
    const actions = items.map(({ action }) => action).toReversed();
    const expected = ['create', 'rename', 'favorite', 'delete', 'restore'];
    probe.expect({
      rule: 'timeline.one-row',
      response,
      holds: actions.join() === expected.map((verb) => `collection.${verb}`).join(),
      expected: expected.join(', '),
      actual: actions.join(', '),
    });
    const renamed = items.find(({ action }) => action === 'collection.rename');
    probe.expect({
      rule: 'timeline.changes',
      response,
      holds:
        JSON.stringify(renamed?.changes) ===
        JSON.stringify([{ field: 'title', from: 'Rows', to: 'Renamed rows' }]),
      expected: 'both values of the field that changed',
      actual: JSON.stringify(renamed?.changes),
    });
  },
};

export const timelineScenarios: readonly Check[] = [oneRow];
