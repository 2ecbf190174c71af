import { eventually } from '../eventually.ts';
import { sampleFile, upload } from '../uploading.ts';
import type { Creator } from './creator.ts';

/** Collections with assets, some of each in the bin. */
export interface ListedLibrary {
  readonly collectionIds: readonly string[];
  readonly binnedCollectionIds: readonly string[];
  /** Assets by collection. */
  readonly assetIds: ReadonlyMap<string, readonly string[]>;
  readonly binnedAssetIds: readonly string[];
  /** The collection with most assets. */
  readonly collectionId: string;
  /** The asset with several versions. */
  readonly assetId: string;
  readonly versionCount: number;
  /** On that asset. */
  readonly commentIds: readonly string[];
  /** With public links. */
  readonly linkedIds: readonly string[];
  readonly shareIds: readonly string[];
  /** Of the first share. */
  readonly viewCount: number;
  /** On that asset, by visitors of the first share. */
  readonly guestCommentIds: readonly string[];
  /** Of a visit of the collection's share. */
  readonly shareTicket: string;
}

type By = 'reader' | 'colleague';

interface NewAsset {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly by: By;
}

const collections: readonly (readonly [string, By])[] = [
  ['kilo', 'reader'],
  ['golf', 'reader'],
  ['india', 'colleague'],
  ['lima 5%', 'reader'],
  ['hotel', 'colleague'],
];
const binnedCollections: readonly (readonly [string, By])[] = [
  ['charlie', 'reader'],
  ['alpha 5%', 'reader'],
  ['bravo', 'colleague'],
];

// No pictures: the service would examine them later, which changes them.
const assetsByCollection: readonly (readonly NewAsset[])[] = [
  [
    { name: 'november.txt', type: 'text/plain', bytes: 30, by: 'reader' },
    { name: 'juliet.txt', type: 'text/plain', bytes: 40, by: 'reader' },
    { name: 'mike.css', type: 'text/css', bytes: 20, by: 'reader' },
    { name: 'kilo.txt', type: 'text/plain', bytes: 10, by: 'colleague' },
    { name: 'lima 5%.bin', type: 'application/octet-stream', bytes: 20, by: 'colleague' },
  ],
  [{ name: 'india.bin', type: 'application/octet-stream', bytes: 50, by: 'reader' }],
];
const binnedAssets: readonly (readonly NewAsset[])[] = [
  [
    { name: 'charlie.txt', type: 'text/plain', bytes: 10, by: 'reader' },
    { name: 'alpha 5%.txt', type: 'text/plain', bytes: 10, by: 'colleague' },
  ],
  [{ name: 'bravo.txt', type: 'text/plain', bytes: 10, by: 'reader' }],
];

const moreVersions = 2;

export async function createListedLibrary(creator: Creator): Promise<ListedLibrary> {
  const collectionIds = await createCollections(creator, collections);
  const [kept, binnedCollectionIds, binnedAssetIds] = await Promise.all([
    createAssets(creator, collectionIds, assetsByCollection),
    binCollections(creator),
    binAssets(creator, collectionIds),
  ]);
  const [collectionId = '', golf = ''] = collectionIds;
  const [seenIds = []] = kept;
  const [, assetId = '', mike = ''] = seenIds;
  const { probe, reader, program } = creator;
  for (let version = 1; version <= moreVersions; version += 1) {
    const file = sampleFile(40 + version, 'juliet.txt');
    await upload(
      probe,
      { ...file, contentType: 'text/plain' },
      { ...reader, collectionId, assetId },
    );
  }
  const commentIds = await comment(creator, assetId);
  const mark = { ...reader, body: { isFavorite: true } };
  // One of each: the timeline of the team stays within a page.
  await probe.succeed('collections.favorite', { ...mark, params: { id: golf } });
  await probe.succeed('assets.favorite', { ...mark, params: { id: assetId } });
  const renamed = { ...reader, params: { id: golf }, body: { title: 'golf again' } };
  await probe.succeed('collections.rename', renamed);
  const details = { description: 'Ebb and flow', tags: ['Tides', 'Blue'] };
  const juliet = { assetName: 'juliet again.txt', publicLinkEnabled: true, ...details };
  const byProgram = { params: { id: assetId }, body: juliet };
  await probe.succeed('assets.update', { ...program, ...byProgram });
  const body = { assetName: 'mike again.css', publicLinkEnabled: true, tags: ['blue'] };
  await probe.succeed('assets.update', { ...reader, params: { id: mike }, body });
  const shared = await createShares(creator, { collectionId, assetId, seenIds });
  return {
    collectionIds,
    binnedCollectionIds,
    assetIds: new Map(collectionIds.map((id, index) => [id, kept[index] ?? []])),
    binnedAssetIds,
    collectionId,
    assetId,
    versionCount: 1 + moreVersions,
    commentIds,
    linkedIds: [assetId, mike],
    ...shared,
  };
}

/** On two versions, one with a reply and resolved. */
async function comment(
  { probe, reader, colleague }: Creator,
  assetId: string,
): Promise<readonly string[]> {
  const params = { id: assetId };
  const ids: string[] = [];
  for (const [author, versionNumber] of [
    [reader, 1],
    [colleague, 2],
  ] as const) {
    const body = { body: `Comment ${ids.length}`, versionNumber };
    ids.push((await probe.succeed('assetComments.create', { ...author, params, body })).id);
  }
  const [commentId = ''] = ids;
  const reply = { body: 'Reply', parentId: commentId };
  ids.push((await probe.succeed('assetComments.create', { ...reader, params, body: reply })).id);
  const resolving = { params: { ...params, commentId }, body: { isResolved: true } };
  await probe.succeed('assetComments.resolve', { ...reader, ...resolving });
  return ids;
}

async function createShares(
  creator: Creator,
  {
    collectionId,
    assetId,
    seenIds,
  }: Pick<ListedLibrary, 'collectionId' | 'assetId'> & { readonly seenIds: readonly string[] },
): Promise<Pick<ListedLibrary, 'shareIds' | 'shareTicket' | 'viewCount' | 'guestCommentIds'>> {
  const { probe, reader, colleague } = creator;
  const ofCollection = { targetType: 'COLLECTION', targetId: collectionId, allowComments: true };
  const ofAsset = { targetType: 'ASSET', targetId: assetId };
  const first = await probe.succeed('shares.create', { ...reader, body: ofCollection });
  const second = await probe.succeed('shares.create', { ...colleague, body: ofAsset });
  const token = String(first.url).split('#')[1] ?? '';
  const { ticket } = await probe.succeed('shares.open', { body: { token } });
  const headers = { authorization: `Share ${ticket}` };
  // All of them: an asset that a check reads again is no further view.
  for (const id of seenIds) await probe.succeed('shares.sharedAsset', { headers, params: { id } });
  const guestCommentIds = await commentAsGuest(creator, { headers, assetId });
  const viewCount = 1 + seenIds.length + guestCommentIds.length;
  // What visitors do is written some seconds later.
  await eventually(
    () => probe.succeed('shares.views', { ...reader, params: { id: first.id } }),
    ({ items }) => items.length >= viewCount,
  );
  return { shareIds: [first.id, second.id], shareTicket: ticket, viewCount, guestCommentIds };
}

/** A comment of a visitor, and their reply. */
async function commentAsGuest(
  { probe }: Creator,
  { headers, assetId }: { headers: Readonly<Record<string, string>>; assetId: string },
): Promise<string[]> {
  const params = { id: assetId };
  const body = { body: 'Of a guest', visitorName: 'Grace' };
  const written = { headers, params, body };
  const { id } = await probe.succeed('shares.createSharedComment', written);
  const reply = { ...written, body: { ...body, parentId: id } };
  return [id, (await probe.succeed('shares.createSharedComment', reply)).id];
}

async function createCollections(
  creator: Creator,
  declared: readonly (readonly [string, By])[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [title, by] of declared) {
    const options = { ...creator[by], body: { title } };
    ids.push((await creator.probe.succeed('collections.create', options)).id);
  }
  return ids;
}

async function binCollections(creator: Creator): Promise<string[]> {
  const ids = await createCollections(creator, binnedCollections);
  for (const id of ids) {
    await creator.probe.succeed('collections.remove', { ...creator.reader, params: { id } });
  }
  return ids;
}

/** One after another, so that their timestamps have the order of the declaration. */
async function createAssets(
  creator: Creator,
  collectionIds: readonly string[],
  declared: readonly (readonly NewAsset[])[],
): Promise<string[][]> {
  const created: string[][] = [];
  for (const [index, assets] of declared.entries()) {
    const ids: string[] = [];
    for (const { name, type, bytes, by } of assets) {
      const file = { ...sampleFile(bytes, name), contentType: type };
      const target = { ...creator[by], collectionId: collectionIds[index] ?? '' };
      ids.push((await upload(creator.probe, file, target)).id);
    }
    created.push(ids);
  }
  return created;
}

async function binAssets(creator: Creator, collectionIds: readonly string[]): Promise<string[]> {
  const ids = (await createAssets(creator, collectionIds, binnedAssets)).flat();
  for (const id of ids) {
    await creator.probe.succeed('assets.remove', { ...creator.reader, params: { id } });
  }
  return ids;
}
