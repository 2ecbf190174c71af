import { setTimeout as delay } from 'node:timers/promises';
import { newAccount, newTeam, type Account } from './accounts.ts';
import type { Stack } from './stack.ts';

const pollMs = 250;
const maxAttempts = 120;

/** A team with something of every type, about a lighthouse. */
export async function newSearchedTeam(stack: Stack) {
  const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
  const organizationId = await newTeam(stack, [ada, grace]);
  const options = { organizationId };
  const { api } = ada;
  const project = await api.projects.create({ body: { name: 'Harbour website' } }, options);
  const params = { projectId: project.id };
  const addTask = (title: string, description: string | null = null) =>
    api.tasks.create({ params, body: { title, description } }, options);
  const task = await addTask(
    'Photograph the lighthouse',
    'From the pier, before noon. The keeper opens the gate at nine, and the tide is low until eleven.',
  );
  const other = await addTask(
    'Order paint',
    'Eight litres of red for the lighthouse, and a brush.',
  );
  await api.comments.create(
    { params: { taskId: other.id }, body: { body: 'The lighthouse needs two coats.' } },
    options,
  );
  await api.collections.create({ body: { title: 'Lighthouse pictures' } }, options);
  await untilCounted(ada, { organizationId, q: 'lighthouse', count: 4 });
  return { ada, grace, organizationId, project, task, other, addTask };
}

/** Waits until a search finds so many, which the index has later than the records. */
export async function untilCounted(
  { api }: Account,
  { organizationId, q, count }: { organizationId: string; q: string; count: number },
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { totals } = await api.search.find({ query: { q, limit: 1 } }, { organizationId });
    if (totals.all >= count) return;
    await delay(pollMs);
  }
  throw new Error(`“${q}” never found ${count}`);
}
