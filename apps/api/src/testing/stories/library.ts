import {
  completion,
  newCollection as newPersonalCollection,
  putParts,
  someFile,
  uploadFile,
  type StartedUpload,
} from '../library.ts';
import type { Story } from './story.ts';

/** Everything that happens to a team's collections, uploads and assets. */
export async function libraryStory(
  { walk, people: { ada } }: Story,
  teamId: string,
): Promise<void> {
  const inTeam = { organizationId: teamId };
  const step = (params: Record<string, string | number>, body?: unknown) => ({
    as: ada,
    input: { organizationId: teamId, params, ...(body !== undefined && { body }) },
  });
  const newCollection = async () => {
    const { body } = await walk('collections.create', {
      ...step({}, { title: 'Pictures' }),
      recorded: { ...inTeam, action: 'collection.create', fields: ['title'] },
    });
    return String(body.data.id);
  };
  const collectionId = await newCollection();
  const other = await newCollection();
  await walk('collections.rename', {
    ...step({ id: collectionId }, { title: 'Brand pictures' }),
    recorded: { ...inTeam, action: 'collection.rename', fields: ['title'] },
  });
  for (const isFavorite of [true, false]) {
    await walk('collections.favorite', {
      ...step({ id: collectionId }, { isFavorite }),
      recorded: { ...inTeam, action: isFavorite ? 'collection.favorite' : 'collection.unfavorite' },
    });
  }

  const file = someFile(10);
  const initiate = async (asset: { assetId?: string } = {}) => {
    const { body } = await walk('uploads.initiate', {
      ...step(
        {},
        {
          fileName: file.fileName,
          contentType: file.contentType,
          fileSize: file.content.length,
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
    const started = await initiate(asset);
    const parts = await putParts(started, file.content);
    const body = completion(started, file, collectionId, parts);
    const completed = await walk('uploads.complete', {
      ...step({}, body),
      recorded: { ...inTeam, action: asset.assetId ? 'asset.add_version' : 'asset.create' },
      refused: [{ body: { ...body, collectionId: other } }],
    });
    return String(completed.body.data.id);
  };
  const { uploadId, key } = await initiate();
  await walk('uploads.abort', {
    ...step({}, { uploadId, key }),
    recorded: { ...inTeam, action: 'upload.abort', resourceId: uploadId },
    refused: [{ body: { uploadId, key: `${key}x` } }],
  });
  const id = await upload();
  await upload({ assetId: id });
  await walk('assets.restoreVersion', {
    ...step({ id, versionNumber: 1 }),
    recorded: { ...inTeam, action: 'asset.restore_version', fields: ['currentVersion'] },
  });
  await walk('assets.update', {
    ...step({ id }, { assetName: 'logo.bin', collectionId: other, publicLinkEnabled: false }),
    recorded: {
      ...inTeam,
      action: 'asset.update',
      fields: ['assetName', 'collectionId', 'publicLinkEnabled'],
    },
  });
  for (const isFavorite of [true, false]) {
    await walk('assets.favorite', {
      ...step({ id }, { isFavorite }),
      recorded: { ...inTeam, action: isFavorite ? 'asset.favorite' : 'asset.unfavorite' },
    });
  }
  await walk('assets.remove', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'asset.delete' },
  });
  await walk('assets.restore', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'asset.restore' },
  });
  await walk('collections.remove', {
    ...step({ id: other }),
    recorded: { ...inTeam, action: 'collection.delete' },
  });
  await walk('collections.restore', {
    ...step({ id: other }),
    recorded: { ...inTeam, action: 'collection.restore' },
  });
}

/** An asset of one's own becomes a team's. */
export async function publishingStory(
  { api, walk, people: { ada } }: Story,
  teamId: string,
): Promise<void> {
  const collectionId = await newPersonalCollection(api, ada);
  const { id } = await uploadFile(api, ada, someFile(10), { collectionId });
  await walk('assets.publish', {
    as: ada,
    input: { params: { id }, organizationId: teamId },
    recorded: { action: 'asset.publish', organizationId: teamId },
    refused: [{ organizationId: ada.organizationId }],
  });
}
