import { CoverBody } from '@atelier/contract';
import { z } from 'zod';
import {
  newCollection as newPersonalCollection,
  someFile,
  uploadFile,
} from '../../testing/library.ts';
import type {
  FeatureFixtures,
  InputsOf,
  RecordMaker,
  Story,
} from '../../testing/feature-fixtures.ts';
import {
  giveTo,
  madeInStory,
  makeRecord,
  noInput,
  recordInBin,
  recordWithBody,
  stepOf,
  withActivityFilters,
  withBody,
} from '../../testing/fixture-parts.ts';

const asset: InputsOf = (team) => [{ params: { id: team.assetId } }];

const [cover] = z.tuple([CoverBody]).parse(CoverBody.meta()?.examples);
const pdf = { ...someFile(3, 'plan.pdf'), contentType: 'application/pdf' };

const ownAsset: RecordMaker = async (request) => {
  const { api, teamId: organizationId, founder } = request;
  const { id: collectionId } = await makeRecord(request, 'collections.create', {
    body: { title: 'Pictures' },
  });
  const { id } = await uploadFile(api, founder, pdf, { collectionId, organizationId });
  await giveTo(request, { table: 'assets', column: 'created_by', id });
  return { params: { id } };
};

export const assetsFixtures: FeatureFixtures<'assets'> = {
  inputs: {
    list: (team) => [{}, { query: { collectionId: team.collectionId } }],
    myLogs: withActivityFilters(noInput),
    tags: () => [{}, { query: { q: 'Lo' } }],
    bin: (team) => [{}, { query: { collectionId: team.collectionId } }],
    restore: (team) => [{ params: { id: team.binnedAssetId } }],
    // That of `remove`, which comes before.
    purge: asset,
    emptyBin: (team) => [{}, { query: { collectionId: team.collectionId } }],
    listInCollection: (team) => [{ params: { collectionId: team.collectionId } }],
    get: asset,
    update: withBody(
      asset,
      () => ({ assetName: 'renamed.bin' }),
      (team) => ({ collectionId: team.otherCollectionId }),
    ),
    remove: asset,
    favorite: withBody(asset, () => ({ isFavorite: false })),
    review: withBody(asset, () => ({ status: 'IN_REVIEW' })),
    setCover: withBody(asset, () => cover),
    download: asset,
    publish: withBody(
      (team) => [{ params: { id: team.personalAssetId } }],
      (team) => ({ collectionId: team.otherCollectionId }),
    ),
    logs: withActivityFilters(asset),
    versions: asset,
    restoreVersion: (team) => [{ params: { id: team.assetId, versionNumber: 1 } }],
  },
  ownRecords: {
    update: recordWithBody(ownAsset, { assetName: 'renamed.bin' }),
    setCover: recordWithBody(ownAsset, cover),
    remove: ownAsset,
    restore: recordInBin(ownAsset, 'assets.remove'),
    purge: recordInBin(ownAsset, 'assets.remove'),
    emptyBin: async (request) => {
      await recordInBin(ownAsset, 'assets.remove')(request);
      return { query: { scope: 'organization' } };
    },
    restoreVersion: async (request) => {
      const { params } = await ownAsset(request);
      return { params: { ...params, versionNumber: 1 } };
    },
  },
  // An update moves the asset out of the collection that the other changes name.
  endings: ['update', 'remove', 'purge', 'emptyBin'],
  stories: { 'an asset and its versions': versionsAndBin, 'publishing into a team': publishing },
};

async function versionsAndBin(story: Story): Promise<void> {
  const { api, walk, people, teamId: organizationId } = story;
  const inTeam = { organizationId };
  const step = stepOf(story);
  const newCollection = (title: string) =>
    madeInStory(story, 'collections.create', { body: { title } });
  const [collectionId, other] = [await newCollection('Pictures'), await newCollection('Another')];
  const file = { ...someFile(10), contentType: 'application/pdf' };
  const { id } = await uploadFile(api, people.ada, file, { collectionId, organizationId });
  await uploadFile(api, people.ada, file, { collectionId, organizationId, assetId: id });
  await walk('assets.restoreVersion', {
    ...step({ id, versionNumber: 1 }),
    recorded: { ...inTeam, action: 'asset.restore_version', fields: ['currentVersion'] },
  });
  await walk('assets.setCover', { ...step({ id }, cover), recorded: null });
  const details = { description: 'On dark ground', tags: ['Logo'] };
  await walk('assets.update', {
    ...step(
      { id },
      { assetName: 'logo.bin', collectionId: other, publicLinkEnabled: true, ...details },
    ),
    recorded: {
      ...inTeam,
      action: 'asset.update',
      fields: ['assetName', 'collectionId', 'publicLinkEnabled', 'description', 'tags'],
    },
  });
  for (const isFavorite of [true, false]) {
    await walk('assets.favorite', {
      ...step({ id }, { isFavorite }),
      recorded: { ...inTeam, action: isFavorite ? 'asset.favorite' : 'asset.unfavorite' },
    });
  }
  await walk('assets.review', {
    ...step({ id }, { status: 'APPROVED' }),
    recorded: { ...inTeam, action: 'asset.change_review', fields: ['review'] },
  });
  await walk('assets.remove', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'asset.delete' },
  });
  await walk('assets.restore', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'asset.restore' },
  });
  const inBin = async () => {
    await walk('assets.remove', {
      ...step({ id }),
      recorded: { ...inTeam, action: 'asset.delete' },
    });
  };
  await inBin();
  await walk('assets.purge', { ...step({ id }), recorded: { ...inTeam, action: 'asset.purge' } });
  const another = await uploadFile(api, people.ada, file, { collectionId, organizationId });
  await walk('assets.remove', {
    ...step({ id: another.id }),
    recorded: { ...inTeam, action: 'asset.delete' },
  });
  await walk('assets.emptyBin', {
    as: people.ada,
    input: { organizationId, query: { collectionId } },
    recorded: { ...inTeam, action: 'organization.empty_bin', resourceId: organizationId },
  });
}

async function publishing({ api, walk, people: { ada }, teamId }: Story): Promise<void> {
  const collectionId = await newPersonalCollection(api, ada);
  const { id } = await uploadFile(api, ada, someFile(10), { collectionId });
  await walk('assets.publish', {
    as: ada,
    input: { params: { id }, organizationId: teamId },
    recorded: { action: 'asset.publish', organizationId: teamId },
    refused: [{ organizationId: ada.organizationId }],
  });
}
