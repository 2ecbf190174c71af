import type { State } from '../state/model.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';

/** Returns the path of a version in the mock's storage. */
function pathOf(assetId: string, version: unknown): string {
  return `/mock-storage/assets/${assetId}/${String(version)}`;
}

/** Returns the URL of a version. */
export function urlOf(
  { baseUrl }: State,
  { id, fields }: Stored,
  {
    version = fields['currentVersion'],
    isAttachment = 'no',
  }: { version?: unknown; isAttachment?: 'yes' | 'no' } = {},
): string {
  const name = encodeURIComponent(textOf(fields, 'assetName'));
  const query = new URLSearchParams({
    ...(textOf(fields, 'assetType') && { type: textOf(fields, 'assetType') }),
    ...(isAttachment === 'yes' && { disposition: `attachment; filename*=UTF-8''${name}` }),
  });
  return `${baseUrl}${pathOf(id, version)}?${query.toString()}`;
}

interface NewContent {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly createdBy: string;
  readonly restoredFrom?: number;
  /** Of content that another version has; default: it is new. */
  readonly eTag?: string;
  readonly objectId?: string;
}

/** Adds a version to an asset and makes it the current one. */
export function addVersion(state: State, asset: Stored, content: NewContent): Stored {
  const { bytes, contentType, createdBy, restoredFrom = null } = content;
  const versionNumber = Number(asset.fields['currentVersion']) + 1;
  const stored = state.storage.put(pathOf(asset.id, versionNumber), bytes, contentType);
  const createdAt = state.now();
  Object.assign(asset.fields, {
    currentVersion: versionNumber,
    fileSize: bytes.length,
    assetType: contentType,
    updatedAt: createdAt,
  });
  const eTag = content.eTag ?? stored.eTag.replaceAll('"', '');
  const id = state.newId();
  return state.store.add({
    kind: 'AssetVersion',
    id,
    organizationId: asset.organizationId,
    ownerId: createdBy,
    fields: {
      assetId: asset.id,
      versionNumber,
      fileSize: bytes.length,
      contentType,
      eTag,
      createdBy,
      createdAt,
      restoredFrom,
      objectId: content.objectId ?? id,
    },
  });
}

interface NewAsset extends Omit<NewContent, 'restoredFrom'> {
  readonly assetName: string;
  readonly collectionId: unknown;
  readonly organization: Stored;
  readonly publishedFromAssetId?: string;
}

/** Creates an asset with its first version. */
export function addAsset(state: State, { organization, ...given }: NewAsset): Stored {
  const now = state.now();
  const { assetName, collectionId, createdBy, publishedFromAssetId = null } = given;
  const asset = state.store.add({
    kind: 'asset',
    id: state.newId(),
    organizationId: organization.id,
    ownerId: createdBy,
    fields: {
      assetName,
      createdAt: now,
      collectionId,
      organizationId: organization.id,
      createdBy,
      checksum: null,
      detectedType: null,
      width: null,
      height: null,
      currentVersion: 0,
      publishedFromAssetId,
      description: null,
      tags: [],
      publicLinkEnabled: organization.fields['publicLinks'] === 'ON_FOR_NEW',
    },
    hidden: { code: newCode(state) },
  });
  addVersion(state, asset, given);
  asset.fields['updatedAt'] = now;
  return asset;
}

/** Sixteen letters and digits of a short URL. */
export function newCode(state: State): string {
  return state.newSecret().slice(0, 16);
}

/** Returns the versions of an asset, oldest first. */
export function versionsOf({ store }: State, assetId: string): Fields[] {
  return store
    .all('AssetVersion')
    .map(({ fields }) => fields)
    .filter((fields) => fields['assetId'] === assetId);
}

export function versionOf(state: State, assetId: string, number: unknown): Fields | undefined {
  return versionsOf(state, assetId).find(({ versionNumber }) => versionNumber === number);
}

/** Returns the content of a version: the part that another version can repeat. */
export function contentOf({ storage }: State, version: Fields) {
  const path = pathOf(textOf(version, 'assetId'), version['versionNumber']);
  return {
    bytes: storage.get(path)?.bytes ?? new Uint8Array(),
    contentType: textOf(version, 'contentType'),
    eTag: textOf(version, 'eTag'),
    objectId: textOf(version, 'objectId'),
  };
}
