import { CoverBody, operationById, operations, type OperationId } from '@atelier/contract';
import { z } from 'zod';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { sampleFile, upload } from '../uploading.ts';
import { paramNamesOf } from '../request-schemas.ts';

const collectionLife: Check = {
  id: 'collection.life',
  group: 'collections',
  alsoShows: ['assets'],
  title: 'a collection is renamed, marked as a favorite, and deleted and restored with its assets',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const { id } = await probe.succeed('collections.create', { token, body: { title: 'One' } });
    const params = { id };
    const asset = await upload(probe, sampleFile(10), { token, collectionId: id });
    const renamed = await probe.succeed('collections.rename', {
      token,
      params,
      body: { title: ' Two ' },
    });
    const response = await probe.request('collections.favorite', {
      token,
      params,
      body: { isFavorite: true },
    });
    const marked = probe.dataIn('collections.favorite', response);
    const { isFavorite, assetCount } = marked;
    probe.expectFields({
      rule: 'collection.life',
      response,
      actual: { title: renamed.title, isFavorite, assetCount },
      expected: { title: 'Two', isFavorite: true, assetCount: 1 },
    });
    await probe.succeed('collections.remove', { token, params });
    await expectGone(probe, { token, group: 'collections', params });
    const orphan = await probe.request('assets.get', { token, params: { id: asset.id } });
    probe.expectRefusal('resource.after-delete', orphan, 'not_found');
    const early = await probe.request('assets.restore', { token, params: { id: asset.id } });
    probe.expectRefusal('collection.life', early, 'collection_deleted');
    await probe.succeed('collections.restore', { token, params });
    await probe.succeed('assets.get', { token, params: { id: asset.id } });
  },
};

const assetLife: Check = {
  id: 'asset.life',
  group: 'assets',
  title: 'an asset is updated, described, marked as a favorite, deleted and restored',
  run: async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const { id } = await upload(probe, sampleFile(10), { token, collectionId });
    const params = { id };
    await probe.succeed('assets.update', { token, params, body: { assetName: 'new name.bin' } });
    const details = {
      description: 'For the fair',
      tags: ['Conformance fair', ' CONFORMANCE FAIR', 'b'],
    };
    await probe.succeed('assets.update', { token, params, body: details });
    const response = await probe.request('assets.favorite', {
      token,
      params,
      body: { isFavorite: true },
    });
    const marked = probe.dataIn('assets.favorite', response);
    probe.expectFields({
      rule: 'asset.life',
      response,
      actual: { ...marked, tags: marked.tags.join() },
      expected: {
        assetName: 'new name.bin',
        description: 'For the fair',
        tags: 'Conformance fair,b',
        isFavorite: true,
      },
    });
    const suggested = await probe.request('assets.tags', { token, query: { q: 'conformance f' } });
    probe.expectFields({
      rule: 'asset.life',
      response: suggested,
      actual: probe.dataIn('assets.tags', suggested).items[0] ?? {},
      expected: { tag: 'Conformance fair' },
    });
    await probe.succeed('assets.remove', { token, params });
    await expectGone(probe, { token, group: 'assets', params });
    await probe.succeed('assets.restore', { token, params });
    await probe.succeed('assets.get', { token, params });
    const early = await probe.request('assets.purge', { token, params });
    probe.expectRefusal('asset.life', early, 'not_found');
    await probe.succeed('assets.remove', { token, params });
    await probe.succeed('assets.purge', { token, params });
    for (const operation of ['assets.purge', 'assets.restore'] as const) {
      const gone = await probe.request(operation, { token, params });
      probe.expectRefusal('asset.life', gone, 'not_found');
    }
    // Of its own: other checks remove what is in the collection of the fixtures.
    const own = await probe.succeed('collections.create', { token, body: { title: 'To empty' } });
    const ofOwn = { token, query: { collectionId: own.id } };
    const other = await upload(probe, sampleFile(10), { token, collectionId: own.id });
    await probe.succeed('assets.remove', { token, params: { id: other.id } });
    const emptied = await probe.succeed('assets.emptyBin', ofOwn);
    const again = await probe.request('assets.emptyBin', ofOwn);
    probe.expectFields({
      rule: 'asset.life',
      response: again,
      actual: { isEmptied: emptied.assetCount > 0, ...probe.dataIn('assets.emptyBin', again) },
      expected: { isEmptied: true, assetCount: 0, collectionCount: 0 },
    });
  },
};

const assetComments: Check = {
  id: 'asset.comments',
  group: 'assetComments',
  alsoShows: ['assets'],
  title: 'a version of an asset is commented on and reviewed, and a new one starts anew',
  run: async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const { id } = await upload(probe, sampleFile(10), { token, collectionId });
    const params = { id };
    const anchor = { kind: 'time', startMs: 1_500, x: 0.123_456, y: 1 } as const;
    const body = { body: 'Here', anchor };
    const posted = await probe.request('assetComments.create', { token, params, body });
    const comment = probe.dataIn('assetComments.create', posted);
    probe.expectFields({
      rule: 'asset.comments',
      response: posted,
      actual: { anchor: JSON.stringify(comment.anchor), versionNumber: comment.versionNumber },
      expected: { anchor: JSON.stringify({ ...anchor, x: 0.1235 }), versionNumber: 1 },
    });
    const reply = { body: 'A reply', parentId: comment.id };
    const { id: parentId } = await probe.succeed('assetComments.create', {
      token,
      params,
      body: reply,
    });
    const nested = { token, params, body: { body: 'x', parentId } };
    const refused = await probe.request('assetComments.create', nested);
    probe.expectRefusal('asset.comments', refused, 'validation_failed');
    await probe.succeed('assets.review', { token, params, body: { status: 'APPROVED' } });
    await upload(probe, sampleFile(20), { token, collectionId, assetId: id });
    const commentPath = { id, commentId: comment.id };
    const edit = { token, params: commentPath, body: { body: 'There' } };
    await probe.succeed('assetComments.update', edit);
    const resolving = { token, params: commentPath, body: { isResolved: true } };
    await probe.succeed('assetComments.resolve', resolving);
    const response = await probe.request('assets.get', { token, params });
    const { review, commentCount, openCommentCount } = probe.dataIn('assets.get', response);
    probe.expectFields({
      rule: 'asset.comments',
      response,
      actual: { status: review.status, commentCount, openCommentCount },
      expected: { status: 'NONE', commentCount: 2, openCommentCount: 0 },
    });
    const query = { version: '1', frameRate: '50' };
    const { items } = await probe.succeed('assetComments.markers', { token, params, query });
    probe.expectFields({
      rule: 'asset.comments',
      response,
      actual: { timecodes: items.map(({ timecode }) => timecode).join() },
      expected: { timecodes: '00:00:01:25' },
    });
    await probe.succeed('assetComments.remove', { token, params: commentPath });
    await expectGone(probe, { token, group: 'assetComments', params: commentPath });
    await probe.succeed('assets.remove', { token, params });
    await expectGone(probe, { token, group: 'assetComments', params });
  },
};

const [coverExample] = z.tuple([CoverBody]).parse(CoverBody.meta()?.examples);

const covers: Check = {
  id: 'asset.cover',
  group: 'assets',
  title: 'a PDF gets a cover that stays, and takes no other',
  run: async ({ probe, fixtures: { owner, collectionId } }) => {
    const { token } = owner;
    const pdf = { ...sampleFile(10, 'sample.pdf'), contentType: 'application/pdf' };
    const { id } = await upload(probe, pdf, { token, collectionId });
    const params = { id };
    const noPicture = { token, params, body: { picture: 'AAAA' } };
    const refused = await probe.request('assets.setCover', noPicture);
    probe.expectRefusal('asset.cover', refused, 'cover_invalid');
    const response = await probe.request('assets.setCover', { token, params, body: coverExample });
    const { thumbnailUrl, currentVersion } = probe.dataIn('assets.setCover', response);
    const picture = thumbnailUrl === null ? null : await fetch(thumbnailUrl);
    const again = await probe.succeed('assets.setCover', noPicture);
    probe.expectFields({
      rule: 'asset.cover',
      response,
      actual: {
        currentVersion,
        isPicture: picture?.headers.get('content-type')?.startsWith('image/') ?? false,
        isKept: again.thumbnailUrl !== null,
      },
      expected: { currentVersion: 1, isPicture: true, isKept: true },
    });
    const { id: other } = await upload(probe, sampleFile(10), { token, collectionId });
    const ofOther = { token, params: { id: other }, body: coverExample };
    const unsupported = await probe.request('assets.setCover', ofOther);
    probe.expectRefusal('asset.cover', unsupported, 'cover_unsupported');
    const ofLater = { token, params, body: { ...coverExample, versionNumber: 2 } };
    const unknown = await probe.request('assets.setCover', ofLater);
    probe.expectRefusal('asset.cover', unknown, 'not_found');
  },
};

const publishing: Check = {
  id: 'asset.publish',
  group: 'assets',
  title: 'publishing creates an asset of the team, once until the content changes',
  run: async ({ probe, fixtures: { owner, team, collectionId } }) => {
    const { token } = owner;
    const { id } = await upload(probe, sampleFile(10), { token, collectionId });
    const params = { id };
    const nowhere = await probe.request('assets.publish', { token, params, body: {} });
    probe.expectRefusal('asset.publish', nowhere, 'publish_target_required');
    const options = { token, params, organizationId: team.id };
    const response = await probe.request('assets.publish', options);
    const published = probe.dataIn('assets.publish', response);
    probe.expectFields({
      rule: 'asset.publish',
      response,
      actual: { ...published, isItsSource: published.id === id },
      expected: { publishedFromAssetId: id, organizationId: team.id, isItsSource: false },
    });
    const again = await probe.request('assets.publish', options);
    probe.expectRefusal('asset.publish', again, 'already_published');
    await upload(probe, sampleFile(20), { token, collectionId, assetId: id });
    const changed = await probe.succeed('assets.publish', options);
    probe.expectFields({
      rule: 'asset.publish',
      response: again,
      actual: changed,
      expected: { id: published.id, currentVersion: 2 },
    });
  },
};

/** Expects 404 from every operation of a group about a deleted resource, except restoring it. */
export async function expectGone(
  probe: Probe,
  about: { token: string; group: string; params: Readonly<Record<string, string>> },
): Promise<void> {
  const { token, group, params } = about;
  for (const { id } of operations) {
    if (!isAbout(id, group, params) || staysReadable(id)) continue;
    const response = await probe.request(id, { token, params, ...bodies[id] });
    probe.expectRefusal('resource.after-delete', response, 'not_found');
  }
}

/** The logs of an asset stay readable while it can be restored, and it can be deleted permanently. */
function staysReadable(id: OperationId): boolean {
  return id.endsWith('.restore') || id === 'assets.logs' || id === 'assets.purge';
}

function isAbout(id: OperationId, group: string, params: object): boolean {
  const names = paramNamesOf(operationById(id));
  const areNamed = names.toSorted().join() === Object.keys(params).toSorted().join();
  return id.startsWith(`${group}.`) && areNamed && id !== 'assets.publish';
}

/** Valid bodies, without which the operation fails before it looks for the resource. */
const bodies: Partial<Record<OperationId, { body: unknown }>> = {
  'collections.rename': { body: { title: 'x' } },
  'collections.favorite': { body: { isFavorite: true } },
  'assets.update': { body: { assetName: 'x' } },
  'assets.favorite': { body: { isFavorite: true } },
  'projects.update': { body: { name: 'x' } },
  'projects.move': { body: { position: 0 } },
  'tasks.create': { body: { title: 'x' } },
  'tasks.update': { body: { title: 'x' } },
  'tasks.move': { body: { position: 0 } },
  'tasks.assign': { body: { assigneeIds: [] } },
  'labels.update': { body: { name: 'x' } },
  'labels.set': { body: { labelIds: [] } },
  'comments.create': { body: { body: 'x' } },
  'comments.update': { body: { body: 'x' } },
  'assets.setCover': { body: { picture: 'AAAA' } },
  'assets.review': { body: { status: 'APPROVED' } },
  'assetComments.create': { body: { body: 'x' } },
  'assetComments.update': { body: { body: 'x' } },
  'assetComments.resolve': { body: { isResolved: true } },
};

export const libraryScenarios: readonly Check[] = [
  collectionLife,
  assetLife,
  assetComments,
  covers,
  publishing,
];
