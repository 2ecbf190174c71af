import type {
  FeatureFixtures,
  InputsOf,
  RecordMaker,
  Story,
} from '../../testing/feature-fixtures.ts';
import {
  giveTo,
  madeInStory,
  makeRecord,
  noInput,
  stepOf,
  withBody,
} from '../../testing/fixture-parts.ts';

const label: InputsOf = (team) => [{ params: { id: team.labelId } }];

const ownLabel: RecordMaker = async (request) => {
  const { id } = await makeRecord(request, 'labels.create', {
    body: { name: `Own ${request.memberId.slice(-12)}`, color: 'BLUE' },
  });
  await giveTo(request, { table: 'labels', column: 'created_by', id });
  return { params: { id } };
};

export const labelsFixtures: FeatureFixtures<'labels'> = {
  inputs: {
    list: noInput,
    create: withBody(noInput, () => ({ name: 'Another', color: 'GREEN' })),
    get: label,
    update: withBody(label, () => ({ name: 'Renamed' })),
    remove: label,
    set: withBody(
      (team) => [{ params: { id: team.taskId } }],
      (team) => ({ labelIds: [team.labelId] }),
    ),
  },
  ownRecords: { remove: ownLabel },
  endings: ['remove'],
  stories: { 'a label from its creation to its deletion': lifeOfALabel },
};

async function lifeOfALabel(story: Story): Promise<void> {
  const { walk, teamId } = story;
  const inTeam = { organizationId: teamId };
  const step = stepOf(story);
  const projectId = await madeInStory(story, 'projects.create', { body: { name: 'Website' } });
  const taskId = await madeInStory(story, 'tasks.create', {
    params: { projectId },
    body: { title: 'Write the imprint' },
  });
  const { body } = await walk('labels.create', {
    ...step({}, { name: 'Bug', color: 'RED' }),
    recorded: { ...inTeam, action: 'label.create', fields: ['name', 'color'] },
    refused: [{ body: { name: 'Bug', color: 'CRIMSON' } }],
  });
  const id = String(body.data.id);
  await walk('labels.update', {
    ...step({ id }, { name: 'Defect', color: 'ORANGE' }),
    recorded: { ...inTeam, action: 'label.update', fields: ['name', 'color'] },
  });
  await walk('labels.set', {
    ...step({ id: taskId }, { labelIds: [id] }),
    recorded: { ...inTeam, action: 'task.update', fields: ['labels'] },
    refused: [{ body: { labelIds: [taskId] } }],
  });
  await walk('labels.remove', {
    ...step({ id }),
    recorded: { ...inTeam, action: 'label.delete' },
  });
}
