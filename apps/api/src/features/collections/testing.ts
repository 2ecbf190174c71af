import type { FeatureFixtures, InputsOf, RecordMaker } from '../../testing/feature-fixtures.ts';
import {
  giveTo,
  makeRecord,
  noInput,
  recordInBin,
  recordWithBody,
  stepOf,
  withBody,
} from '../../testing/fixture-parts.ts';

const collection: InputsOf = (team) => [{ params: { id: team.collectionId } }];

const ownCollection: RecordMaker = async (request) => {
  const { id } = await makeRecord(request, 'collections.create', { body: { title: 'Pictures' } });
  await giveTo(request, { table: 'collections', column: 'created_by', id });
  return { params: { id } };
};

export const collectionsFixtures: FeatureFixtures<'collections'> = {
  inputs: {
    create: withBody(noInput, () => ({ title: 'Another' })),
    list: noInput,
    bin: noInput,
    restore: (team) => [{ params: { id: team.binnedCollectionId } }],
    get: collection,
    remove: collection,
    rename: withBody(collection, () => ({ title: 'Renamed' })),
    favorite: withBody(collection, () => ({ isFavorite: false })),
  },
  ownRecords: {
    rename: recordWithBody(ownCollection, { title: 'Renamed' }),
    remove: ownCollection,
    restore: recordInBin(ownCollection, 'collections.remove'),
  },
  endings: ['remove'],
  stories: {
    async 'a collection from its creation to its restoration'(story) {
      const { walk, teamId } = story;
      const inTeam = { organizationId: teamId };
      const step = stepOf(story);
      const { body } = await walk('collections.create', {
        ...step({}, { title: 'Pictures' }),
        recorded: { ...inTeam, action: 'collection.create', fields: ['title'] },
      });
      const id = String(body.data.id);
      await walk('collections.rename', {
        ...step({ id }, { title: 'Brand pictures' }),
        recorded: { ...inTeam, action: 'collection.rename', fields: ['title'] },
      });
      for (const isFavorite of [true, false]) {
        await walk('collections.favorite', {
          ...step({ id }, { isFavorite }),
          recorded: {
            ...inTeam,
            action: isFavorite ? 'collection.favorite' : 'collection.unfavorite',
          },
        });
      }
      await walk('collections.remove', {
        ...step({ id }),
        recorded: { ...inTeam, action: 'collection.delete' },
      });
      await walk('collections.restore', {
        ...step({ id }),
        recorded: { ...inTeam, action: 'collection.restore' },
      });
    },
  },
};
