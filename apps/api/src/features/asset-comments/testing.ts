import type { FeatureFixtures, InputsOf, RecordMaker } from '../../testing/feature-fixtures.ts';
import {
  giveTo,
  madeInStory,
  makeRecord,
  recordWithBody,
  stepOf,
  withBody,
} from '../../testing/fixture-parts.ts';
import { someFile, uploadFile } from '../../testing/library.ts';

const asset: InputsOf = (team) => [{ params: { id: team.assetId } }];
const comment: InputsOf = (team) => [
  { params: { id: team.assetId, commentId: team.assetCommentId } },
];

const ownComment: RecordMaker = async (request) => {
  const { api, teamId: organizationId, founder } = request;
  const { id: collectionId } = await makeRecord(request, 'collections.create', {
    body: { title: 'Pictures' },
  });
  const { id } = await uploadFile(api, founder, someFile(3), { collectionId, organizationId });
  const { id: commentId } = await makeRecord(request, 'assetComments.create', {
    params: { id },
    body: { body: 'The edge is blurred' },
  });
  await giveTo(request, { table: 'asset_comments', column: 'author_id', id: commentId });
  return { params: { id, commentId } };
};

export const assetCommentsFixtures: FeatureFixtures<'assetComments'> = {
  inputs: {
    list: (team) => [
      { params: { id: team.assetId } },
      { params: { id: team.assetId }, query: { version: 1, isResolved: false } },
    ],
    markers: asset,
    create: withBody(
      asset,
      () => ({ body: 'Another', anchor: { kind: 'point', x: 0.5, y: 0.5 } }),
      (team) => ({ body: 'A reply', parentId: team.assetCommentId }),
    ),
    update: withBody(comment, () => ({ body: 'Changed' })),
    resolve: withBody(comment, () => ({ isResolved: true })),
    remove: comment,
  },
  ownRecords: {
    update: recordWithBody(ownComment, { body: 'The edge is sharp' }),
    remove: ownComment,
  },
  endings: ['remove'],
  stories: {
    async 'a comment on an asset from its posting to its deletion'(story) {
      const { api, walk, people, teamId: organizationId } = story;
      const inTeam = { organizationId };
      const step = stepOf(story);
      const collectionId = await madeInStory(story, 'collections.create', {
        body: { title: 'Pictures' },
      });
      const { id } = await uploadFile(api, people.ada, someFile(10), {
        collectionId,
        organizationId,
      });
      const posted = await walk('assetComments.create', {
        ...step({ id }, { body: 'The edge is blurred' }),
        recorded: { ...inTeam, action: 'asset_comment.create' },
      });
      const address = { id, commentId: String(posted.body.data.id) };
      await walk('assetComments.update', {
        ...step(address, { body: 'The edge is sharp' }),
        recorded: { ...inTeam, action: 'asset_comment.update', fields: ['body'] },
      });
      for (const isResolved of [true, false]) {
        await walk('assetComments.resolve', {
          ...step(address, { isResolved }),
          recorded: {
            ...inTeam,
            action: isResolved ? 'asset_comment.resolve' : 'asset_comment.reopen',
          },
        });
      }
      await walk('assetComments.remove', {
        ...step(address),
        recorded: { ...inTeam, action: 'asset_comment.delete' },
      });
    },
  },
};
