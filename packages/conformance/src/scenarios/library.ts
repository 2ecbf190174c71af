import { operations, type OperationId } from '@atelier/contract';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { sampleFile, upload } from '../uploading.ts';
import { paramNamesOf } from '../valid-requests.ts';

const collectionLife: Check = {
  id: 'collection.life',
  group: 'collections',
  title: 'a collection is renamed, marked, deleted with its assets, and restored with them',
  run: async ({ probe, world: { owner } }) => {
    const { token } = owner;
    const { id } = await probe.succeed('collections.create', { token, body: { title: 'One' } });
    const params = { id };
    const asset = await upload(probe, sampleFile(10), { token, collectionId: id });
    const renamed = await probe.succeed('collections.rename', {
      token,
      params,
      body: { title: ' Two ' },
    });
    const answer = await probe.call('collections.favorite', {
      token,
      params,
      body: { isFavorite: true },
    });
    const marked = probe.dataIn('collections.favorite', answer);
    probe.expect({
      rule: 'collection.life',
      answer,
      holds: renamed.title === 'Two' && marked.isFavorite && marked.assetCount === 1,
      expected: 'title "Two", marked, with one asset',
    });
    await probe.succeed('collections.remove', { token, params });
    await expectGone(probe, { token, group: 'collections', params });
    const orphan = await probe.call('assets.get', { token, params: { id: asset.id } });
    probe.expectRefusal('resource.after-delete', orphan, 'not_found');
    const early = await probe.call('assets.restore', { token, params: { id: asset.id } });
    probe.expectRefusal('collection.life', early, 'collection_deleted');
    await probe.succeed('collections.restore', { token, params });
    await probe.succeed('assets.get', { token, params: { id: asset.id } });
  },
};

const assetLife: Check = {
  id: 'asset.life',
  group: 'assets',
  title: 'an asset is updated, marked, deleted, and restored',
  run: async ({ probe, world: { owner, collectionId } }) => {
    const { token } = owner;
    const { id } = await upload(probe, sampleFile(10), { token, collectionId });
    const params = { id };
    await probe.succeed('assets.update', { token, params, body: { assetName: 'new name.bin' } });
    const answer = await probe.call('assets.favorite', {
      token,
      params,
      body: { isFavorite: true },
    });
    const marked = probe.dataIn('assets.favorite', answer);
    probe.expect({
      rule: 'asset.life',
      answer,
      holds: marked.assetName === 'new name.bin' && marked.isFavorite,
      expected: 'the new name, marked',
    });
    await probe.succeed('assets.remove', { token, params });
    await expectGone(probe, { token, group: 'assets', params });
    await probe.succeed('assets.restore', { token, params });
    await probe.succeed('assets.get', { token, params });
  },
};

const publishing: Check = {
  id: 'asset.publish',
  group: 'assets',
  title: 'publishing makes an asset of the team, once until the content changes',
  run: async ({ probe, world: { owner, team, collectionId } }) => {
    const { token } = owner;
    const { id } = await upload(probe, sampleFile(10), { token, collectionId });
    const params = { id };
    const nowhere = await probe.call('assets.publish', { token, params, body: {} });
    probe.expectRefusal('asset.publish', nowhere, 'publish_target_required');
    const options = { token, params, organizationId: team.id };
    const answer = await probe.call('assets.publish', options);
    const published = probe.dataIn('assets.publish', answer);
    probe.expect({
      rule: 'asset.publish',
      answer,
      holds:
        published.id !== id &&
        published.publishedFromAssetId === id &&
        published.organizationId === team.id,
      expected: 'an asset of the team that names the one it comes from',
    });
    const again = await probe.call('assets.publish', options);
    probe.expectRefusal('asset.publish', again, 'already_published');
    await upload(probe, sampleFile(20), { token, collectionId, assetId: id });
    const changed = await probe.succeed('assets.publish', options);
    probe.expect({
      rule: 'asset.publish',
      answer: again,
      holds: changed.id === published.id && changed.currentVersion === 2,
      expected: 'a second version of the same asset of the team',
    });
  },
};

/** Everything of a group that names a deleted thing answers 404; restoring is how it comes back. */
export async function expectGone(
  probe: Probe,
  about: { token: string; group: string; params: Readonly<Record<string, string>> },
): Promise<void> {
  const { token, group, params } = about;
  for (const { id } of operations) {
    if (!isAbout(id, group, params) || answersFromTheBin(id)) continue;
    const answer = await probe.call(id, { token, params, ...bodies[id] });
    probe.expectRefusal('resource.after-delete', answer, 'not_found');
  }
}

/** What was done to an asset stays readable while it can be restored. */
function answersFromTheBin(id: OperationId): boolean {
  return id.endsWith('.restore') || id === 'assets.logs';
}

function isAbout(id: OperationId, group: string, params: object): boolean {
  const operation = operations.find((candidate) => candidate.id === id);
  const names = operation ? paramNamesOf(operation) : [];
  const areNamed = names.toSorted().join() === Object.keys(params).toSorted().join();
  return id.startsWith(`${group}.`) && areNamed && id !== 'assets.publish';
}

/** A body where one is needed to get as far as looking for the thing. */
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
  'comments.create': { body: { body: 'x' } },
  'comments.update': { body: { body: 'x' } },
};

export const libraryScenarios: readonly Check[] = [collectionLife, assetLife, publishing];
