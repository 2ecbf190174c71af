import { maxSuggestedTags, tagKeyOf } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { reachOf, roleIn } from '../state/access.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import type { Call, Feature, State, View } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { idsOf, isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { pictureFor } from '../storage.ts';
import { countComments } from './asset-comments.ts';
import {
  addAsset,
  addVersion,
  contentOf,
  newCode,
  urlOf,
  versionOf,
  versionsOf,
} from './contents.ts';
import { expectWithinPlan } from './plans.ts';
import { objectsIn, usedBytes } from './storage-usage.ts';
import { allIn } from './teams.ts';

const downloadMs = 5 * 60 * 1000;

function download(call: Call): unknown {
  const { state, input } = call;
  const asset = recordAt(call, 'params.id');
  const version = Number(input.query['version'] ?? asset.fields['currentVersion']);
  if (!versionOf(state, asset.id, version)) throw new MockFailure('not_found');
  return {
    url: urlOf(state, asset, { version, isAttachment: 'yes' }),
    expiresAt: new Date(Date.parse(state.now()) + downloadMs).toISOString(),
    fileName: asset.fields['assetName'],
  };
}

/** The review of a version; of one that was never reviewed, what it starts with. */
export function reviewOf(state: State, assetId: string, version: unknown): Fields {
  const versionNumber = Number(version);
  const found = versionOf(state, assetId, versionNumber)?.['review'];
  return isRecord(found)
    ? found
    : { status: 'NONE', versionNumber, changedBy: null, changedAt: null };
}

function review(call: Call): unknown {
  const { state } = call;
  const asset = recordAt(call, 'params.id');
  const { status, versionNumber = asset.fields['currentVersion'] } = bodyOf(call);
  const version = versionOf(state, asset.id, Number(versionNumber));
  if (!version) throw new MockFailure('not_found');
  const before = reviewOf(state, asset.id, versionNumber);
  call.activities = [];
  if (before['status'] !== status) {
    const changedBy = callerOf(call).id;
    version['review'] = { status, versionNumber, changedBy, changedAt: state.now() };
    const changes = [{ field: 'review', from: before['status'], to: status }];
    call.activities = [activityOn(call, asset, { action: 'asset.change_review', changes })];
  }
  return shown(call, asset);
}

/** Deletes a record in the bin permanently, with all that belongs to it. */
function purgeRecord(state: State, record: Stored): void {
  for (const child of state.store.childrenOf(record)) {
    if (child.kind !== 'Activity') purgeRecord(state, child);
  }
  state.store.remove(record);
}

function purge(call: Call): unknown {
  const asset = recordAt(call, 'params.id');
  if (!asset.bin) throw new MockFailure('not_found');
  call.activities = [activityOn(call, asset, { action: 'asset.purge' })];
  purgeRecord(call.state, asset);
  return { id: asset.id };
}

/** Whether an asset in the bin was deleted by itself, and not along with its collection. */
function isApart({ bin, fields }: Stored): boolean {
  return bin?.by !== fields['collectionId'];
}

/** Returns what emptying the bin deletes. @param ownerId - null: what everyone has created */
function emptied({ state, organization, input }: Call, ownerId: string | null) {
  const { store } = state;
  const collectionId = input.query['collectionId'] ?? null;
  const isOurs = (one: Stored) => one.organizationId === organization?.id;
  const isChosen = (id: unknown) => collectionId === null || id === collectionId;
  const isOwn = (one: Stored | undefined) => ownerId === null || one?.ownerId === ownerId;
  const isWholeOwn = (collection: Stored | undefined) =>
    isOwn(collection) &&
    store
      .binned('asset')
      .every((one) => one.fields['collectionId'] !== collection?.id || isOwn(one));
  const assets = store.binned('asset').filter((one) => {
    const id = one.fields['collectionId'];
    return (
      isOurs(one) &&
      isChosen(id) &&
      isOwn(one) &&
      (isApart(one) || isWholeOwn(store.find('collection', id)))
    );
  });
  const collections = store
    .binned('collection')
    .filter((one) => isOurs(one) && isChosen(one.id) && isWholeOwn(one));
  return { assets, collections };
}

function emptyBin(call: Call): unknown {
  const { state, organization, role, input } = call;
  const { id: callerId } = callerOf(call);
  const isOfAll = input.query['scope'] === 'organization';
  const { assets, collections } = emptied(call, isOfAll ? null : callerId);
  const own = emptied(call, callerId);
  const isOthers = own.assets.length + own.collections.length < assets.length + collections.length;
  if (isOthers && reachOf('asset:delete', role) !== 'any')
    throw new MockFailure('permission_denied');
  for (const record of [...assets, ...collections]) purgeRecord(state, record);
  const counts = { assetCount: assets.length, collectionCount: collections.length };
  const action = 'organization.empty_bin';
  call.activities =
    organization && assets.length + collections.length > 0
      ? [activityOn(call, organization, { action, metadata: counts })]
      : [];
  return counts;
}

function suggestTags(call: Call): unknown {
  const { state, organization, input } = call;
  const { q } = input.query;
  const beginning = typeof q === 'string' ? tagKeyOf(q) : '';
  const found = new Map<string, { tag: string; assetCount: number }>();
  for (const { fields } of allIn(state, 'asset', organization?.id ?? '')) {
    for (const tag of idsOf(fields, 'tags')) {
      const key = tagKeyOf(tag);
      const { assetCount } = found.get(key) ?? { assetCount: 0 };
      if (key.startsWith(beginning)) found.set(key, { tag, assetCount: assetCount + 1 });
    }
  }
  const items = [...found.values()].toSorted((a, b) => b.assetCount - a.assetCount);
  return { items: items.slice(0, maxSuggestedTags) };
}

function followShortLink({ state, input }: Call): string {
  const asset = state.store
    .all('asset')
    .find(({ hidden }) => hidden['code'] === input.params['code']);
  const organization = state.store.find('organization', asset?.organizationId);
  const isOff = organization?.fields['publicLinks'] === 'FORBIDDEN';
  if (!asset || isOff || asset.fields['publicLinkEnabled'] !== true) {
    throw new MockFailure('not_found');
  }
  return urlOf(state, asset);
}

/** @throws MockFailure `not_found` for an asset that is not in the caller's personal organization */
function sourceOf(call: Call): Stored {
  const { store } = call.state;
  const source = store.find('asset', call.input.params['id']);
  const home = store.find('organization', source?.organizationId);
  const isOwn = home?.fields['type'] === 'PERSONAL' && home.ownerId === callerOf(call).id;
  if (source?.bin === null && isOwn && roleIn(call, home.id) !== null) return source;
  throw new MockFailure('not_found');
}

/** Whether a published asset shows the content of its source, or got it last from there. */
function hasContent(
  state: State,
  published: Stored,
  { source, objectId }: { source: Stored; objectId: string },
): boolean {
  const current = versionOf(state, published.id, published.fields['currentVersion']);
  const ofSource = new Set(versionsOf(state, source.id).map((version) => version['objectId']));
  const last = versionsOf(state, published.id).findLast(
    (version) => version['restoredFrom'] === null && ofSource.has(version['objectId']),
  );
  return [current?.['objectId'], last?.['objectId']].includes(objectId);
}

function publish(call: Call): unknown {
  const { state, organization } = call;
  if (organization?.fields['type'] !== 'TEAM') throw new MockFailure('publish_target_required');
  const source = sourceOf(call);
  const collectionId = bodyOf(call)['collectionId'];
  const chosen = state.store.find('collection', collectionId);
  const isThere = chosen?.organizationId === organization.id && chosen.bin === null;
  if (collectionId !== undefined && !isThere) {
    throw new MockFailure('not_found');
  }
  const version = versionOf(state, source.id, source.fields['currentVersion']);
  if (!version) throw new Error('an asset without its current version');
  const content = { ...contentOf(state, version), createdBy: callerOf(call).id };
  const { objectId } = content;
  const published = allIn(state, 'asset', organization.id).findLast(
    ({ fields }) => fields['publishedFromAssetId'] === source.id,
  );
  if (published && hasContent(state, published, { source, objectId })) {
    throw new MockFailure('already_published');
  }
  const { length: fileSize } = content.bytes;
  const versionNumber = Number(published?.fields['currentVersion'] ?? 0) + 1;
  const isHeld = objectsIn(state, organization.id).has(objectId);
  expectWithinPlan(state, organization, {
    versionsPerAsset: versionNumber,
    maxFileBytes: fileSize,
    ...(!isHeld && { storageBytes: usedBytes(state, organization.id) + fileSize }),
  });
  if (published) addVersion(state, published, content);
  const asset =
    published ??
    addAsset(state, {
      ...content,
      assetName: textOf(source.fields, 'assetName'),
      collectionId: chosen?.id ?? publishedCollection(call, organization).id,
      organization,
      publishedFromAssetId: source.id,
    });
  const metadata = { sourceAssetId: source.id, versionNumber };
  call.activities = [activityOn(call, asset, { action: 'asset.publish', metadata })];
  return shown(call, asset);
}

/** The collection `Published` of the caller, which is created if missing. */
function publishedCollection(call: Call, { id: organizationId }: Stored): Stored {
  const { state } = call;
  const { id: createdBy } = callerOf(call);
  const title = 'Published';
  const found = allIn(state, 'collection', organizationId).find(
    ({ fields, ownerId }) => ownerId === createdBy && fields['title'] === title,
  );
  if (found) return found;
  const now = state.now();
  return state.store.add({
    kind: 'collection',
    id: state.newId(),
    organizationId,
    ownerId: createdBy,
    fields: { title, organizationId, createdBy, createdAt: now, updatedAt: now },
  });
}

const sampleNames = ['logo', 'cover', 'poster'];

/** Adds pictures to each collection. */
export function addSampleAssets(
  state: State,
  { user, organization }: { user: Stored; organization: Stored },
): void {
  for (const { id } of allIn(state, 'collection', organization.id)) {
    for (const name of sampleNames) {
      const { bytes, type } = pictureFor(`${id} ${name}`);
      addAsset(state, {
        bytes,
        contentType: type,
        createdBy: user.id,
        assetName: `${name}.svg`,
        collectionId: id,
        organization,
      });
    }
  }
}

function linkOf({ hidden }: Stored, { state }: View): string {
  return `${state.baseUrl}/s/${String(hidden['code'])}`;
}

function thumbnailOf(state: State, asset: Stored): unknown {
  const { fields } = asset;
  if (textOf(fields, 'assetType').startsWith('image/')) return urlOf(state, asset);
  return versionOf(state, asset.id, Number(fields['currentVersion']))?.['coverUrl'] ?? null;
}

export const assets: Feature = {
  operations: {
    'assets.download': { respond: download },
    'assets.tags': { respond: suggestTags },
    'assets.purge': { respond: purge, reachesBin: true },
    'assets.emptyBin': { respond: emptyBin },
    'assets.review': { respond: review },
    'assets.followShortLink': { respond: followShortLink },
    // The header selects the organization to publish into, not that of the asset.
    'assets.publish': { respond: publish, findsItsRecords: true },
  },
  kinds: {
    asset: {
      ofCaller: ['isFavorite'],
      // The bin has assets of a deleted collection in the list of that collection only.
      isListed: (asset, { organization, input }) =>
        asset.organizationId === organization?.id &&
        (isApart(asset) || input.query['collectionId'] !== undefined),
      computed: {
        assetShortUrl: linkOf,
        assetLongUrl: (asset, { state }) => urlOf(state, asset),
        review: ({ id, fields }, { state }) => reviewOf(state, id, fields['currentVersion']),
        commentCount: ({ id }, { state }) => countComments(state, id, 'all'),
        openCommentCount: ({ id }, { state }) => countComments(state, id, 'open'),
        thumbnailUrl: (asset, { state }) => thumbnailOf(state, asset),
      },
      check: ({ organization }, { publicLinkEnabled }) => {
        const isForbidden = organization?.fields['publicLinks'] === 'FORBIDDEN';
        if (publicLinkEnabled === true && isForbidden) {
          throw new MockFailure('public_links_forbidden');
        }
      },
      onUpdate: ({ state }, { fields, hidden }, changed) => {
        const isOff = changed.has('publicLinkEnabled') && fields['publicLinkEnabled'] === false;
        if (isOff) hidden['code'] = newCode(state);
      },
      metadataOf: ({ fields }) => ({ collectionId: fields['collectionId'] }),
    },
  },
};
