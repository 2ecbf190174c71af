import type { FeatureFixtures, InputsOf, Story } from '../../testing/feature-fixtures.ts';
import { madeInStory, stepOf } from '../../testing/fixture-parts.ts';
import { someFile, uploadFile } from '../../testing/library.ts';

const attachment: InputsOf = (team) => [{ params: { id: team.taskId, assetId: team.assetId } }];

export const taskAssetsFixtures: FeatureFixtures<'taskAssets'> = {
  inputs: {
    list: (team) => [
      { params: { id: team.taskId } },
      { params: { id: team.taskId }, query: { sort: '-attachedAt' } },
    ],
    attach: attachment,
    detach: attachment,
  },
  endings: ['detach'],
  stories: { 'an asset on a task': attachedAndDetached },
};

async function attachedAndDetached(story: Story): Promise<void> {
  const { api, walk, people, teamId: organizationId } = story;
  const step = stepOf(story);
  const projectId = await madeInStory(story, 'projects.create', { body: { name: 'Website' } });
  const taskId = await madeInStory(story, 'tasks.create', {
    params: { projectId },
    body: { title: 'Write the imprint' },
  });
  const collectionId = await madeInStory(story, 'collections.create', {
    body: { title: 'Pictures' },
  });
  const into = { collectionId, organizationId };
  const { id: assetId } = await uploadFile(api, people.ada, someFile(10), into);
  await walk('taskAssets.attach', {
    ...step({ id: taskId, assetId }),
    recorded: { organizationId, action: 'task.attach' },
  });
  await walk('taskAssets.detach', {
    ...step({ id: taskId, assetId }),
    recorded: { organizationId, action: 'task.detach' },
  });
}
