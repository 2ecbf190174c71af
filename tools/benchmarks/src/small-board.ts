import { createClient, memoryTokens } from '@atelier/client';
import { password } from './seed/accounts.ts';

const tasks = 60;

/** Creates a team with a board of 60 tasks, through the API. */
export async function newBoard(baseUrl: string, email: string) {
  const client = createClient({ baseUrl, tokens: memoryTokens() });
  await client.auth.login({ body: { email, password } });
  const { id: userId } = await client.auth.user();
  const { id: organizationId } = await client.organizations.create({ body: { name: 'Team' } });
  const scope = { organizationId };
  const project = await client.projects.create({ body: { name: 'Board' } }, scope);
  const taskIds: string[] = [];
  for (let n = 0; n < tasks; n += 1) {
    const params = { projectId: project.id };
    const task = await client.tasks.create({ params, body: { title: `Task ${n}` } }, scope);
    taskIds.push(task.id);
  }
  return { userId, organizationId, taskIds };
}
