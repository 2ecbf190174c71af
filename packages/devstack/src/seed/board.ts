import type { Client, CreateTaskBody } from '@atelier/client';

/** Whose hands the work is in, by the words of {@link tasks}. */
export type Hands = Readonly<Record<Hand, { readonly api: Client; readonly id: string }>>;

type Hand = 'demo' | 'mara' | 'teo' | 'yuki';

interface SampleTask extends Pick<CreateTaskBody, 'title' | 'status' | 'priority' | 'description'> {
  readonly by: Hand;
  readonly for?: readonly Hand[];
  /** From today. */
  readonly dueInDays?: number;
  readonly comments?: readonly (readonly [Hand, string])[];
}

const name = 'Autumn exhibition';
const description = 'Forty landscapes in the old boathouse, opening in three weeks.';

const tasks: readonly SampleTask[] = [
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

const dayMs = 24 * 60 * 60 * 1000;

/** A project in the middle of its work. What is there already is left as it is. */
export async function seedBoard(hands: Hands, organizationId: string): Promise<void> {
  const options = { organizationId };
  const { api } = hands.demo;
  const { items } = await api.projects.list({}, options);
  const project =
    items.find((one) => one.name === name) ??
    (await api.projects.create({ body: { name, description } }, options));
  const there = await api.tasks.listInProject(
    { params: { projectId: project.id }, query: { limit: 100 } },
    options,
  );
  const titles = new Set(there.items.map(({ title }) => title));
  for (const task of tasks) {
    if (!titles.has(task.title))
      await seedTask(hands, { organizationId, projectId: project.id, task });
  }
}

async function seedTask(
  hands: Hands,
  {
    organizationId,
    projectId,
    task,
  }: { organizationId: string; projectId: string; task: SampleTask },
): Promise<void> {
  const { by, for: assignees = [], dueInDays, comments = [], ...body } = task;
  const options = { organizationId };
  const { id } = await hands[by].api.tasks.create(
    {
      params: { projectId },
      body: {
        ...body,
        assigneeIds: assignees.map((hand) => hands[hand].id),
        ...(dueInDays !== undefined && {
          dueDate: new Date(Date.now() + dueInDays * dayMs).toISOString().slice(0, 10),
        }),
      },
    },
    options,
  );
  for (const [hand, text] of comments) {
    await hands[hand].api.comments.create(
      { params: { taskId: id }, body: { body: text } },
      options,
    );
  }
}
