import type { Client, CreateTaskBody, Task } from '@atelier/client';

/** The accounts of the samples, by name. */
export type SampleAccounts = Readonly<
  Record<SampleAccount, { readonly api: Client; readonly id: string }>
>;

type SampleAccount = 'demo' | 'mara' | 'teo' | 'yuki';

interface SampleTask extends Pick<CreateTaskBody, 'title' | 'status' | 'priority' | 'description'> {
  readonly by: SampleAccount;
  readonly for?: readonly SampleAccount[];
  /** Days from today. */
  readonly dueInDays?: number;
  readonly comments?: readonly (readonly [SampleAccount, string])[];
  /** Titles of its subtasks with their status. */
  readonly parts?: readonly (readonly [string, 'TODO' | 'DONE'])[];
  /** How many assets of the library are attached to it. */
  readonly fileCount?: number;
}

interface SampleProject {
  readonly name: string;
  readonly description: string;
  readonly tasks: readonly SampleTask[];
}

const website: SampleProject = {
  name: 'Studio website',
  description: 'New pages for prints and commissions, online before the opening.',
  tasks: [
    { title: 'Sort out the old pages', status: 'DONE', by: 'yuki', for: ['yuki'] },
    { title: 'Draw the start page', status: 'DONE', priority: 'HIGH', by: 'teo', for: ['teo'] },
    {
      title: 'Photograph the print room',
      status: 'IN_PROGRESS',
      priority: 'MEDIUM',
      by: 'mara',
      for: ['demo', 'teo'],
      dueInDays: 0,
    },
    {
      title: 'Say what a commission costs',
      status: 'TODO',
      priority: 'HIGH',
      by: 'mara',
      for: ['demo'],
      dueInDays: 12,
    },
    { title: 'Describe each paper', status: 'TODO', by: 'yuki', for: ['yuki'], dueInDays: 8 },
    { title: 'Translate into Swedish', status: 'BACKLOG', priority: 'LOW', by: 'mara' },
  ],
};

const calendar: SampleProject = {
  name: 'Calendar for next year',
  description: 'Twelve pictures, one for each month, at the printer by the end of the month.',
  tasks: [
    { title: 'Pick twelve pictures', status: 'IN_REVIEW', by: 'teo', for: ['mara'], dueInDays: 3 },
    { title: 'Compare three printers', status: 'IN_PROGRESS', by: 'demo', for: ['demo'] },
    { title: 'Choose a typeface for the dates', status: 'TODO', by: 'yuki', for: ['yuki'] },
    { title: 'Proofread the holidays', status: 'BACKLOG', by: 'mara', for: ['teo'] },
  ],
};

const exhibitionTasks: readonly SampleTask[] = [
  {
    title: 'Choose the forty pictures',
    status: 'DONE',
    priority: 'HIGH',
    by: 'mara',
    for: ['mara', 'demo'],
    comments: [
      ['mara', 'First round is in the collection “Hills at dusk”. I marked the ones I would hang.'],
      ['demo', 'Agreed with all but the very dark one. Swapped it.'],
    ],
  },
  { title: 'Reserve the boathouse', status: 'DONE', by: 'demo', for: ['demo'] },
  {
    title: 'Print proofs on matte paper',
    status: 'IN_REVIEW',
    priority: 'HIGH',
    by: 'teo',
    for: ['teo'],
    dueInDays: 1,
    description: 'Three sizes of the same picture, so that we see how the haze holds up.',
    parts: [
      ['Order the paper', 'DONE'],
      ['Print a warmer one', 'TODO'],
      ['Compare them on the wall', 'TODO'],
    ],
    fileCount: 2,
    comments: [
      ['teo', 'The second proof is much better: the haze keeps its colour.'],
      ['yuki', 'Could we try one warmer? The wall is rather cold.'],
      ['teo', 'On it, tomorrow.'],
    ],
  },
  {
    title: 'Write the wall texts',
    status: 'IN_PROGRESS',
    priority: 'MEDIUM',
    by: 'yuki',
    for: ['yuki', 'demo'],
    dueInDays: 4,
    description: 'One short text for each room. Plain words, no more than eighty of them.',
    comments: [['yuki', 'Rooms one and two are done, room three needs a fact about the ridge.']],
  },
  {
    title: 'Plan the hanging',
    status: 'IN_PROGRESS',
    priority: 'URGENT',
    by: 'mara',
    for: ['mara', 'teo'],
    dueInDays: -1,
    comments: [['mara', 'The long wall is 11.40 m, not 12. I am drawing it again.']],
  },
  {
    title: 'Send the invitations',
    status: 'TODO',
    priority: 'HIGH',
    by: 'demo',
    for: ['demo'],
    dueInDays: 2,
    comments: [['demo', 'Waiting for the final opening hours.']],
  },
  {
    title: 'Order frames',
    status: 'TODO',
    priority: 'MEDIUM',
    by: 'teo',
    for: ['teo'],
    dueInDays: 6,
  },
  { title: 'Light the entrance', status: 'TODO', by: 'mara', dueInDays: 9 },
  { title: 'Record a short audio guide', status: 'BACKLOG', priority: 'LOW', by: 'yuki' },
  { title: 'Ask the bakery for the opening night', status: 'BACKLOG', by: 'demo', for: ['yuki'] },
  {
    title: 'Rent a projector',
    status: 'CANCELLED',
    by: 'teo',
    description: 'The room is too bright.',
  },
];

const exhibition: SampleProject = {
  name: 'Autumn exhibition',
  description: 'Forty landscapes in the old boathouse, opening in three weeks.',
  tasks: exhibitionTasks,
};

/** In the order of the list. */
const projects = [exhibition, website, calendar];

/** Seeds projects with work in progress: adds missing tasks and details. Existing ones stay unchanged. */
export async function seedBoards(accounts: SampleAccounts, organizationId: string): Promise<void> {
  const boards: Board[] = [];
  for (const project of projects) boards.push(await boardOf(accounts, { organizationId, project }));
  // Comments come last, so they are the latest activities.
  for (const board of boards) await seedTasks(accounts, board);
  for (const board of boards) await seedDetails(accounts, board);
}

interface Board {
  readonly organizationId: string;
  readonly projectId: string;
  readonly samples: readonly SampleTask[];
  /** Tasks and subtasks by title. */
  readonly tasks: Map<string, Task>;
}

async function boardOf(
  { demo: { api } }: SampleAccounts,
  { organizationId, project }: { organizationId: string; project: SampleProject },
): Promise<Board> {
  const { name, description, tasks: samples } = project;
  const options = { organizationId };
  const { items } = await api.projects.list({}, options);
  const { id: projectId } =
    items.find((one) => one.name === name) ??
    (await api.projects.create({ body: { name, description } }, options));
  const there = await api.tasks.listInProject(
    { params: { projectId }, query: { limit: 100 } },
    options,
  );
  const tasks = new Map(there.items.map((task) => [task.title, task]));
  return { organizationId, projectId, samples, tasks };
}

async function seedTasks(
  accounts: SampleAccounts,
  { organizationId, projectId, samples, tasks }: Board,
): Promise<void> {
  for (const { by, for: assignees = [], dueInDays, ...rest } of samples) {
    if (tasks.has(rest.title)) continue;
    const { comments: _comments, parts: _parts, fileCount: _fileCount, ...body } = rest;
    const assigneeIds = assignees.map((hand) => accounts[hand].id);
    const dueDate = dueInDays === undefined ? null : endOfDay(dueInDays);
    const task = await accounts[by].api.tasks.create(
      { params: { projectId }, body: { ...body, assigneeIds, dueDate } },
      { organizationId },
    );
    tasks.set(task.title, task);
  }
}

async function seedDetails(
  accounts: SampleAccounts,
  { organizationId, projectId, samples, tasks }: Board,
): Promise<void> {
  const options = { organizationId };
  for (const { title, by, comments = [], parts = [], fileCount = 0 } of samples) {
    const { api } = accounts[by];
    const task = tasks.get(title);
    if (task === undefined) throw new Error(`unreachable: "${title}" has been created`);
    for (const [part, status] of parts) {
      if (tasks.has(part)) continue;
      const body = { title: part, status, parentId: task.id };
      await api.tasks.create({ params: { projectId }, body }, options);
    }
    let { attachmentCount } = task;
    if (attachmentCount < fileCount) {
      const query = { scope: 'organization', type: 'image/', limit: fileCount } as const;
      const { items } = await api.assets.list({ query }, options);
      for (const { id: assetId } of items) {
        if (attachmentCount === fileCount) break;
        const attached = await api.taskAssets.attach({ params: { id: task.id, assetId } }, options);
        ({ attachmentCount } = attached);
      }
    }
    const params = { taskId: task.id };
    const posted =
      task.commentCount === 0 ? [] : (await api.comments.list({ params }, options)).items;
    for (const [hand, text] of comments) {
      if (posted.some(({ body }) => body === text)) continue;
      await accounts[hand].api.comments.create({ params, body: { body: text } }, options);
    }
  }
}

/** Returns the end of the day some days from today, in the local time zone. */
function endOfDay(daysFromToday: number): string {
  const day = new Date();
  day.setDate(day.getDate() + daysFromToday);
  day.setHours(23, 59, 59, 999);
  return day.toISOString();
}
