import { invalidField, MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, organizationOf, recordAt } from '../state/call.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { addAsset, addVersion } from './contents.ts';
import { expectWithinPlan } from './plans.ts';
import { usedBytes } from './storage-usage.ts';

const partSize = 8 * 1024 * 1024;
const urlMs = 60 * 60 * 1000;
const maxFileBytes = 5 * 1024 ** 3;
const maxOpenUploads = 100;
const maxKeyNameLength = 200;

function initiate(call: Call): Fields {
  const { state } = call;
  const organization = organizationOf(call);
  const caller = callerOf(call);
  const { fileSize, fileName, collectionId, assetId, contentType } = bodyOf(call);
  const size = Number(fileSize);
  if (size > maxFileBytes) {
    const message = `Too big: a file may have at most ${maxFileBytes} bytes`;
    throw invalidField(['fileSize'], 'too_big', message);
  }
  const asset = state.store.find('asset', assetId);
  if (asset && asset.fields['collectionId'] !== collectionId) throw new MockFailure('not_found');
  const used = usedBytes(state, organization.id);
  const open = state.store.all('upload').filter(({ fields }) => fields['status'] === 'ACTIVE');
  const own = open.filter(({ ownerId }) => ownerId === caller.id);
  if (own.length >= maxOpenUploads) throw new MockFailure('too_many_open_uploads');
  expectWithinPlan(state, organization, { maxFileBytes: size, storageBytes: used + size });
  if (asset) {
    const underWay = open.filter(({ fields }) => fields['assetId'] === asset.id).length;
    const versionsPerAsset = Number(asset.fields['currentVersion']) + underWay + 1;
    expectWithinPlan(state, organization, { versionsPerAsset });
  }
  const id = state.newId();
  const upload = state.store.add({
    kind: 'upload',
    id,
    organizationId: organization.id,
    ownerId: caller.id,
    fields: {
      fileName,
      fileSize,
      contentType,
      collectionId,
      assetId,
      key: `collection/${String(collectionId)}/${id}/${safeName(String(fileName))}`,
      status: 'ACTIVE',
    },
  });
  call.activities = [activityOn(call, upload, { action: 'upload.initiate' })];
  return { ...targetOf(state, upload), parts: partsOf(upload).map((part) => linkTo(state, part)) };
}

/** Keeps the end of a name, with its extension, without separators, control and bidirectional characters. */
function safeName(fileName: string): string {
  const safe = fileName
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|#%&{}$!'@+`=^~[\]]/gu, '_')
    .replaceAll(/\.{2,}|^\./g, '_');
  return Array.from(safe).slice(-maxKeyNameLength).join('');
}

interface Part {
  readonly partNumber: number;
  readonly path: string;
  readonly size: number;
}

function partsOf({ id, fields }: Stored): readonly Part[] {
  const fileSize = Number(fields['fileSize']);
  const count = Math.max(1, Math.ceil(fileSize / partSize));
  return Array.from({ length: count }, (_, index) => ({
    partNumber: index + 1,
    path: `/mock-storage/uploads/${id}/${index + 1}`,
    size: Math.min(partSize, fileSize - index * partSize),
  }));
}

function linkTo({ baseUrl }: State, { partNumber, path, size }: Part): Fields {
  return { partNumber, url: `${baseUrl}${path}?size=${size}` };
}

function targetOf(state: State, { id, fields }: Stored): Fields {
  return {
    uploadId: id,
    key: fields['key'],
    partSize,
    expiresAt: new Date(Date.parse(state.now()) + urlMs).toISOString(),
  };
}

function resume(call: Call): Fields {
  const { state } = call;
  const upload = recordAt(call, 'params.uploadId');
  if (upload.fields['status'] === 'COMPLETED') throw new MockFailure('upload_already_completed');
  expectActive(upload);
  const parts = partsOf(upload);
  const uploadedParts = parts.flatMap(({ partNumber, path, size }) => {
    const stored = state.storage.get(path);
    return stored ? [{ partNumber, eTag: stored.eTag.replaceAll('"', ''), size }] : [];
  });
  return {
    ...targetOf(state, upload),
    fileSize: upload.fields['fileSize'],
    uploadedParts,
    parts: parts.filter(({ path }) => !state.storage.get(path)).map((part) => linkTo(state, part)),
  };
}

function expectActive({ fields }: Stored): void {
  if (fields['status'] !== 'ACTIVE') throw new MockFailure('upload_not_active');
}

function complete(call: Call): unknown {
  const { state } = call;
  const upload = recordAt(call, 'body.uploadId');
  const body = bodyOf(call);
  const { fields } = upload;
  const isOther = ['key', 'collectionId', 'contentType'].some(
    (name) => body[name] !== fields[name],
  );
  if (isOther) throw new MockFailure('upload_mismatch');
  if (fields['status'] !== 'COMPLETED') {
    expectActive(upload);
    if (fields['assetId'] !== undefined) targetAssetOf(state, upload);
    const bytes = joined(listedParts(call, upload));
    if (bytes.length !== fields['fileSize']) throw new MockFailure('upload_size_mismatch');
    save(call, upload, bytes);
  } else {
    call.activities = [];
  }
  return shown(call, targetAssetOf(state, upload));
}

/** @throws MockFailure `upload_not_active` for an asset that was deleted */
function targetAssetOf({ store }: State, { fields }: Stored): Stored {
  const asset = store.find('asset', fields['assetId']);
  if (asset?.bin === null) return asset;
  throw new MockFailure('upload_not_active');
}

function listedParts(call: Call, upload: Stored): Uint8Array[] {
  const { parts } = bodyOf(call);
  const listed = (Array.isArray(parts) ? parts : [])
    .filter(isRecord)
    .toSorted((a, b) => Number(a['partNumber']) - Number(b['partNumber']));
  return listed.map(({ partNumber, eTag }) => {
    const part = partsOf(upload).find((one) => one.partNumber === partNumber);
    const stored = part && call.state.storage.get(part.path);
    const plain = String(eTag).replaceAll('"', '');
    if (stored?.eTag.replaceAll('"', '') === plain) return stored.bytes;
    throw new MockFailure('upload_part_invalid');
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function save(call: Call, { fields }: Stored, bytes: Uint8Array): void {
  const { state } = call;
  const content = {
    bytes,
    contentType: textOf(fields, 'contentType'),
    createdBy: callerOf(call).id,
  };
  const known = state.store.find('asset', fields['assetId']);
  if (known) addVersion(state, known, content);
  const asset =
    known ??
    addAsset(state, {
      ...content,
      assetName: textOf(fields, 'fileName'),
      collectionId: fields['collectionId'],
      organization: organizationOf(call),
    });
  Object.assign(fields, { assetId: asset.id, status: 'COMPLETED' });
  const action = known ? 'asset.add_version' : 'asset.create';
  call.activities = [activityOn(call, asset, { action })];
}

function abort(call: Call): Fields {
  const upload = recordAt(call, 'body.uploadId');
  const { fields, id } = upload;
  if (bodyOf(call)['key'] !== fields['key']) throw new MockFailure('upload_mismatch');
  if (fields['status'] === 'COMPLETED') throw new MockFailure('upload_already_completed');
  const isFirst = fields['status'] === 'ACTIVE';
  fields['status'] = 'ABORTED';
  call.activities = isFirst ? [activityOn(call, upload, { action: 'upload.abort' })] : [];
  return { uploadId: id };
}

/**
 * Aborts the open uploads of an organization.
 *
 * @param userId - null: of all members
 * @returns how many they were
 */
export function abortOpenUploads(
  { store }: State,
  { organizationId, userId }: { organizationId: string | null; userId: unknown },
): number {
  const open = store
    .all('upload')
    .filter((upload) => upload.organizationId === organizationId)
    .filter(({ ownerId }) => userId === null || ownerId === userId)
    .filter(({ fields }) => fields['status'] === 'ACTIVE');
  for (const { fields } of open) fields['status'] = 'ABORTED';
  return open.length;
}

export const uploads: Feature = {
  operations: {
    'uploads.initiate': { respond: initiate },
    'uploads.parts': { respond: resume },
    'uploads.complete': { respond: complete },
    'uploads.abort': { respond: abort },
  },
  kinds: { upload: { nameOf: ({ fields }) => textOf(fields, 'fileName') } },
};
