import type { Story } from './story.ts';

/** Everything that happens to a team's projects, tasks and comments. */
export async function workStory(
  { walk, people: { ada, viewer, stranger } }: Story,
  teamId: string,
): Promise<void> {
  const inTeam = { organizationId: teamId };
  const step = (params: Record<string, string | number>, body?: unknown) => ({
    as: ada,
    input: { organizationId: teamId, params, ...(body !== undefined && { body }) },
  });
  const newProject = async (name: string) => {
    const { body } = await walk('projects.create', {
      ...step({}, { name }),
      recorded: { ...inTeam, action: 'project.create', fields: ['name'] },
    });
    return String(body.data.id);
  };
  const projectId = await newProject('Website');
  const other = await newProject('Imprint');
  await walk('projects.update', {
    ...step({ id: projectId }, { name: 'Web site', description: 'All pages' }),
    recorded: { ...inTeam, action: 'project.update', fields: ['name', 'description'] },
  });
  await walk('projects.move', {
    ...step({ id: projectId }, { afterId: other }),
    recorded: { ...inTeam, action: 'project.move', fields: ['position'] },
    refused: [{ body: { afterId: projectId.replace(/.$/, '0') } }],
  });

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

  const posted = await walk('comments.create', {
    ...step({ taskId: id }, { body: 'The address is missing' }),
    recorded: { ...inTeam, action: 'comment.create' },
  });
  const comment = { taskId: id, commentId: String(posted.body.data.id) };
  await walk('comments.update', {
    ...step(comment, { body: 'The address is there' }),
    recorded: { ...inTeam, action: 'comment.update', fields: ['body'] },
  });
  await walk('comments.remove', {
    ...step(comment),
    recorded: { ...inTeam, action: 'comment.delete' },
  });
  await walk('tasks.remove', { ...step({ id }), recorded: { ...inTeam, action: 'task.delete' } });
  await walk('projects.remove', {
    ...step({ id: projectId }),
    recorded: { ...inTeam, action: 'project.delete' },
  });
}
