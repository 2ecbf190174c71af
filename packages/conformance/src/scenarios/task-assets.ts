import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { sampleFile, upload } from '../uploading.ts';

const attachments: Check = {
  id: 'task-asset.life',
  group: 'taskAssets',
  alsoShows: ['tasks', 'assets'],
  title: 'an asset is attached to a task once, hidden while it is in the bin, and detached',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const { taskId, collectionId } = await newPlaces(probe, token);
    const { id: assetId } = await upload(probe, sampleFile(10), { token, collectionId });
    const params = { id: taskId, assetId };
    await probe.succeed('taskAssets.attach', { token, params });
    await probe.succeed('taskAssets.attach', { token, params });
    await expectAttached(probe, { token, taskId }, [assetId]);
    await probe.succeed('assets.remove', { token, params: { id: assetId } });
    await expectAttached(probe, { token, taskId }, []);
    for (const operation of ['taskAssets.attach', 'taskAssets.detach'] as const) {
      const refused = await probe.request(operation, { token, params });
      probe.expectRefusal('task-asset.life', refused, 'not_found');
    }
    await probe.succeed('assets.restore', { token, params: { id: assetId } });
    await expectAttached(probe, { token, taskId }, [assetId]);
    await probe.succeed('taskAssets.detach', { token, params });
    await expectAttached(probe, { token, taskId }, []);
    const repeated = await probe.request('taskAssets.detach', { token, params });
    probe.expectRefusal('task-asset.life', repeated, 'not_found');
    await probe.succeed('assets.get', { token, params: { id: assetId } });
  },
};

async function newPlaces(probe: Probe, token: string) {
  const { id: projectId } = await probe.succeed('projects.create', {
    token,
    body: { name: 'Attachments' },
  });
  const { id: taskId } = await probe.succeed('tasks.create', {
    token,
    params: { projectId },
    body: { title: 'With files' },
  });
  const { id: collectionId } = await probe.succeed('collections.create', {
    token,
    body: { title: 'Attachments' },
  });
  return { taskId, collectionId };
}

async function expectAttached(
  probe: Probe,
  { token, taskId }: { token: string; taskId: string },
  assetIds: readonly string[],
): Promise<void> {
  const params = { id: taskId };
  const response = await probe.request('taskAssets.list', { token, params });
  const { items } = probe.dataIn('taskAssets.list', response);
  const { attachmentCount } = await probe.succeed('tasks.get', { token, params });
  probe.expect({
    rule: 'task-asset.life',
    response,
    holds:
      items.map(({ id }) => id).join() === assetIds.join() && attachmentCount === assetIds.length,
    expected: `the assets ${assetIds.join(', ')}, and their number in the task`,
    actual: `${items.map(({ id }) => id).join(', ')}, and ${attachmentCount}`,
  });
}

export const taskAssetScenarios: readonly Check[] = [attachments];
