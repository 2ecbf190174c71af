import type { Creator } from './creator.ts';
import { notifyReader } from './inbox.ts';

/** Projects with tasks, labels and comments. */
export interface ListedWork {
  readonly projectIds: readonly string[];
  /** Tasks by project. */
  readonly taskIds: ReadonlyMap<string, readonly string[]>;
  readonly labelIds: readonly string[];
  /** The project with most tasks. */
  readonly projectId: string;
  /** The task with the comments. */
  readonly taskId: string;
  readonly commentIds: readonly string[];
}

interface NewTask {
  readonly title: string;
  readonly status?: string;
  readonly priority?: string;
  readonly dueDate?: string;
  /** Whether each of the two accounts is assigned: the reader, the colleague. */
  readonly assigned?: readonly [boolean, boolean];
  readonly labels?: readonly LabelName[];
  /** Whether it is a subtask of the first task of its project. */
  readonly isSubtask?: true;
}

type LabelName = 'november' | 'mike' | 'lima 5%' | 'oscar';
const labelNames: readonly LabelName[] = ['november', 'lima 5%', 'oscar', 'mike'];

/** Some values occur twice, so that the id has to break ties. */
const tasksByProject: Readonly<Record<string, readonly NewTask[]>> = {
  'delta 5%': [
    { title: 'kilo', priority: 'HIGH', dueDate: '2031-03-01', assigned: [true, false] },
    { title: 'golf', status: 'DONE', labels: ['november'] },
    { title: 'india', priority: 'URGENT', dueDate: '2031-01-01', assigned: [false, true] },
    {
      title: 'juliet',
      status: 'IN_PROGRESS',
      priority: 'HIGH',
      dueDate: '2031-03-01',
      assigned: [true, true],
      labels: ['november', 'mike'],
    },
    { title: 'hotel 5%', status: 'BACKLOG', priority: 'LOW', dueDate: '2031-02-01' },
    { title: 'foxtrot', priority: 'MEDIUM', labels: ['lima 5%'], isSubtask: true },
    { title: 'india', status: 'DONE', priority: 'LOW', labels: ['mike'] },
  ],
  alpha: [
    { title: 'lima', priority: 'LOW', dueDate: '2031-04-01' },
    { title: 'echo', status: 'IN_REVIEW', assigned: [false, true], isSubtask: true },
  ],
  charlie: [{ title: 'mike', dueDate: '2030-12-01' }],
  bravo: [],
};

/** Creates the work in the order of the declaration above, then changes some of it. */
export async function createListedWork(creator: Creator): Promise<ListedWork> {
  const { probe, reader, program } = creator;
  const labels = new Map<LabelName, string>();
  for (const name of labelNames) {
    const body = { name, color: 'RED' };
    labels.set(name, (await probe.succeed('labels.create', { ...reader, body })).id);
  }
  const projectIds: string[] = [];
  for (const name of Object.keys(tasksByProject)) {
    projectIds.push((await probe.succeed('projects.create', { ...reader, body: { name } })).id);
  }
  const lists = await Promise.all(
    Object.values(tasksByProject).map((tasks, index) =>
      createTasks(creator, { projectId: projectIds[index] ?? '', tasks, labels }),
    ),
  );
  const taskIds = new Map(projectIds.map((id, index) => [id, lists[index] ?? []]));
  const [projectId = '', , charlie = '', bravo = ''] = projectIds;
  const [taskId = '', golf = '', india = '', , , foxtrot = ''] = lists[0] ?? [];
  const commentIds = await comment(creator, taskId);
  await notifyReader(creator, [golf, india, foxtrot]);

  const change = { ...reader, params: { id: taskId }, body: { description: 'Changed' } };
  await probe.succeed('tasks.update', change);
  const move = { ...reader, params: { id: foxtrot }, body: { beforeId: taskId } };
  await probe.succeed('tasks.move', move);
  const byProgram = { ...program, params: { id: taskId }, body: { description: 'By a program' } };
  await probe.succeed('tasks.update', byProgram);
  await probe.succeed('tasks.update', { ...change, params: { id: india } });
  const first = { ...reader, params: { id: charlie }, body: { position: 0 } };
  await probe.succeed('projects.move', first);
  await probe.succeed('projects.update', { ...change, params: { id: projectId } });
  const archive = { ...reader, params: { id: bravo }, body: { status: 'ARCHIVED' } };
  await probe.succeed('projects.update', archive);
  return { projectIds, taskIds, labelIds: [...labels.values()], projectId, taskId, commentIds };
}

async function createTasks(
  { probe, reader, userIds }: Creator,
  {
    projectId,
    tasks,
    labels,
  }: {
    projectId: string;
    tasks: readonly NewTask[];
    labels: ReadonlyMap<LabelName, string>;
  },
): Promise<string[]> {
  const ids: string[] = [];
  for (const { assigned = [], labels: names = [], isSubtask, ...fields } of tasks) {
    const assigneeIds = userIds.filter((_, index) => assigned[index] === true);
    const { id } = await probe.succeed('tasks.create', {
      ...reader,
      params: { projectId },
      body: { ...fields, assigneeIds, ...(isSubtask && { parentId: ids[0] }) },
    });
    ids.push(id);
    const labelIds = names.map((name) => labels.get(name));
    if (labelIds.length === 0) continue;
    await probe.succeed('labels.set', { ...reader, params: { id }, body: { labelIds } });
  }
  return ids;
}

async function comment({ probe, reader, colleague }: Creator, taskId: string): Promise<string[]> {
  const ids: string[] = [];
  for (const author of [reader, colleague, reader, colleague, reader]) {
    const body = { body: `Comment ${ids.length}` };
    const { id } = await probe.succeed('comments.create', { ...author, params: { taskId }, body });
    ids.push(id);
  }
  return ids;
}
