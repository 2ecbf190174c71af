import {
  completion,
  initiate,
  putParts,
  someFile,
  type StartedUpload,
} from '../../testing/library.ts';
import type { FeatureFixtures, RecordMaker, Story } from '../../testing/feature-fixtures.ts';
import {
  giveTo,
  madeInStory,
  makeRecord,
  noInput,
  stepOf,
  withBody,
} from '../../testing/fixture-parts.ts';

const file = { fileName: 'another.bin', contentType: 'application/octet-stream', fileSize: 3 };

const ownUpload: RecordMaker = async (request) => {
  const { api, teamId: organizationId, founder } = request;
  const { id } = await makeRecord(request, 'collections.create', { body: { title: 'Pictures' } });
  const { uploadId, key } = await initiate(api, founder, someFile(3), {
    collectionId: String(id),
    organizationId,
  });
  await giveTo(request, { table: 'uploads', column: 'user_id', id: uploadId });
  return { body: { uploadId, key } };
};

export const uploadsFixtures: FeatureFixtures<'uploads'> = {
  inputs: {
    initiate: withBody(
      noInput,
      (team) => ({ ...file, collectionId: team.collectionId }),
      (team) => ({ ...file, collectionId: team.collectionId, assetId: team.assetId }),
    ),
    parts: (team) => [{ params: { uploadId: team.uploadId } }],
    complete: withBody(noInput, (team) => ({
      uploadId: team.uploadId,
      key: team.uploadKey,
      collectionId: team.collectionId,
      contentType: file.contentType,
      parts: team.uploadParts,
    })),
    abort: withBody(noInput, (team) => ({
      uploadId: team.abortableUploadId,
      key: team.abortableUploadKey,
    })),
  },
  ownRecords: { abort: ownUpload },
  stories: { 'an upload is aborted, one becomes an asset, and one its version': uploadsOfATeam },
};

async function uploadsOfATeam(story: Story): Promise<void> {
  const { walk, teamId } = story;
  const inTeam = { organizationId: teamId };
  const step = stepOf(story);
  const [collectionId, other] = [
    await madeInStory(story, 'collections.create', { body: { title: 'Pictures' } }),
    await madeInStory(story, 'collections.create', { body: { title: 'Another' } }),
  ];
  const sample = someFile(10);
  const begin = async (asset: { assetId?: string } = {}) => {
    const { body } = await walk('uploads.initiate', {
      ...step(
        {},
        {
          fileName: sample.fileName,
          contentType: sample.contentType,
          fileSize: sample.content.length,
          collectionId,
          ...asset,
        },
      ),
      recorded: ({ body: { data } }) => ({
        ...inTeam,
        action: 'upload.initiate',
        resourceId: data.uploadId,
      }),
    });
    return body.data as StartedUpload;
  };
  const upload = async (asset: { assetId?: string } = {}) => {
    const started = await begin(asset);
    const parts = await putParts(started, sample.content);
    const body = completion(started, sample, collectionId, parts);
    const completed = await walk('uploads.complete', {
      ...step({}, body),
      recorded: { ...inTeam, action: asset.assetId ? 'asset.add_version' : 'asset.create' },
      refused: [{ body: { ...body, collectionId: other } }],
    });
    return String(completed.body.data.id);
  };
  const { uploadId, key } = await begin();
  await walk('uploads.abort', {
    ...step({}, { uploadId, key }),
    recorded: { ...inTeam, action: 'upload.abort', resourceId: uploadId },
    refused: [{ body: { uploadId, key: `${key}x` } }],
  });
  const assetId = await upload();
  await upload({ assetId });
}
