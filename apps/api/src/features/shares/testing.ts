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
  recordWithBody,
  stepOf,
  withBody,
} from '../../testing/fixture-parts.ts';
import { someFile, uploadFile } from '../../testing/library.ts';

const share: InputsOf = (team) => [{ params: { id: team.shareId } }];
const inOrganization: InputsOf = (team) => [{ params: { id: team.organizationId } }];
const ofTeam: InputsOf = (team) => [
  {},
  { query: { targetId: team.assetId } },
  { query: { targetId: team.collectionId, targetType: 'COLLECTION' } },
];

const ownShare: RecordMaker = async (request) => {
  const { id: targetId } = await makeRecord(request, 'collections.create', {
    body: { title: 'Shared' },
  });
  const body = { targetType: 'COLLECTION', targetId };
  const { id } = await makeRecord(request, 'shares.create', { body });
  await giveTo(request, { table: 'shares', column: 'created_by', id });
  return { params: { id } };
};

export const sharesFixtures: FeatureFixtures<'shares'> = {
  inputs: {
    create: withBody(
      noInput,
      (team) => ({ targetType: 'ASSET', targetId: team.assetId }),
      (team) => ({ targetType: 'COLLECTION', targetId: team.collectionId, versions: 'PINNED' }),
    ),
    list: ofTeam,
    publicLinks: noInput,
    get: share,
    update: withBody(share, () => ({ label: 'Renamed' })),
    rotate: share,
    views: share,
    remove: share,
    policy: inOrganization,
    updatePolicy: withBody(inOrganization, () => ({ maxDays: 365 })),
  },
  ownRecords: {
    get: ownShare,
    update: recordWithBody(ownShare, { label: 'Renamed' }),
    rotate: ownShare,
    views: ownShare,
    remove: ownShare,
  },
  endings: ['remove'],
  stories: { 'a share from its creation to its end': lifeOfAShare },
};

async function lifeOfAShare(story: Story): Promise<void> {
  const { walk, people, teamId } = story;
  const step = stepOf(story);
  const inTeam = { organizationId: teamId };
  const collectionId = await madeInStory(story, 'collections.create', {
    body: { title: 'Autumn campaign' },
  });
  const place = { organizationId: teamId, collectionId };
  const { id: assetId } = await uploadFile(story.api, people.ada, someFile(10), place);
  const target = { targetType: 'COLLECTION', targetId: collectionId };
  const { body } = await walk('shares.create', {
    ...step({}, { ...target, label: 'For the printer' }),
    recorded: { ...inTeam, action: 'share.create' },
    refused: [{ body: { ...target, targetId: teamId } }],
  });
  const id = String(body.data.id);
  await walk('shares.update', {
    ...step({ id }, { allowDownload: true, allowComments: true, watermark: 'Draft' }),
    recorded: {
      ...inTeam,
      action: 'share.update',
      fields: ['allowComments', 'allowDownload', 'watermark'],
    },
  });
  const [, token] = String(body.data.url).split('#');
  const opened = await walk('shares.open', { input: { body: { token } }, recorded: null });
  await walk('shares.createSharedComment', {
    input: {
      headers: { authorization: `Share ${opened.body.data.ticket}` },
      params: { id: assetId },
      body: { body: 'The edge is blurred', visitorName: 'Grace' },
    },
    recorded: { ...inTeam, action: 'asset_comment.create', actorId: null },
  });
  await walk('shares.rotate', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'share.rotate', resourceId: id },
  });
  await walk('shares.updatePolicy', {
    as: people.ada,
    input: { params: { id: teamId }, body: { allowDownload: false } },
    recorded: {
      ...inTeam,
      action: 'organization.change_share_policy',
      resourceId: teamId,
      fields: ['allowDownload'],
    },
  });
  await walk('shares.remove', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'share.revoke' },
  });
}
