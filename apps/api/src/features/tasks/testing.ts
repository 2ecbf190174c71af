import type { FeatureFixtures, InputsOf, Story } from '../../testing/feature-fixtures.ts';
import { madeInStory, stepOf, withBody } from '../../testing/fixture-parts.ts';

const task: InputsOf = (team) => [{ params: { id: team.taskId } }];

export const tasksFixtures: FeatureFixtures<'tasks'> = {
  inputs: {
    list: (team) => [
      {},
      { query: { projectId: team.projectId } },
      { query: { assigneeId: team.memberUserId } },
      { query: { labelId: team.labelId } },
      { query: { parentId: team.otherTaskId } },
    ],
    listInProject: (team) => [
      { params: { projectId: team.projectId } },
      { params: { projectId: team.projectId }, query: { assigneeId: team.memberUserId } },
      { params: { projectId: team.projectId }, query: { labelId: team.labelId } },
      { params: { projectId: team.projectId }, query: { parentId: team.otherTaskId } },
    ],
    create: withBody(
      (team) => [{ params: { projectId: team.projectId } }],
      (team) => ({ title: 'Another', assigneeIds: [team.memberUserId] }),
      (team) => ({ title: 'A part', parentId: team.otherTaskId }),
    ),
    get: task,
    remove: task,
    update: withBody(
      task,
      () => ({ title: 'Renamed' }),
      (team) => ({ parentId: team.otherTaskId }),
    ),
    move: withBody(
      task,
      (team) => ({ beforeId: team.otherTaskId }),
      (team) => ({ afterId: team.otherTaskId }),
    ),
    assign: withBody(task, (team) => ({ assigneeIds: [team.memberUserId] })),
  },
  endings: ['remove'],
  stories: { 'a task from its creation to its deletion': lifeOfATask },
};

async function lifeOfATask(story: Story): Promise<void> {
  const { walk, people, teamId } = story;
  const { ada, viewer, stranger } = people;
  const inTeam = { organizationId: teamId };
  const step = stepOf(story);
  const projectId = await madeInStory(story, 'projects.create', { body: { name: 'Website' } });
  const newTask = async (title: string) => {
    const { body } = await walk('tasks.create', {
      ...step({ projectId }, { title }),
      recorded: { ...inTeam, action: 'task.create', fields: ['title'] },
      refused: [{ body: { title, assigneeIds: [stranger.id] } }],
    });
    return String(body.data.id);
  };
  const id = await newTask('Write the imprint');
  await newTask('Print it');
  await walk('tasks.update', {
    ...step({ id }, { status: 'DONE', priority: 'HIGH', dueDate: '2026-12-01' }),
    recorded: { ...inTeam, action: 'task.update', fields: ['status', 'priority', 'dueDate'] },
  });
  await walk('tasks.move', {
    ...step({ id }, { status: 'TODO', position: 0 }),
    recorded: { ...inTeam, action: 'task.move', fields: ['status'] },
  });
  await walk('tasks.assign', {
    ...step({ id }, { assigneeIds: [ada.id, viewer.id] }),
    recorded: { ...inTeam, action: 'task.assign', fields: ['assigneeIds'] },
    refused: [{ body: { assigneeIds: [stranger.id] } }],
  });
  await walk('tasks.remove', { ...step({ id }), recorded: { ...inTeam, action: 'task.delete' } });
}
