import { contract } from '@atelier/contract';
import {
  initClient,
  type AppRouter,
  type ClientInferRequest,
  type ClientInferResponses,
} from '@ts-rest/core';

export const router: AppRouter = contract;
const client = initClient(contract, { baseUrl: 'https://api.example.com', baseHeaders: {} });

export async function title(id: string): Promise<string> {
  const task = await client.tasks.get({ params: { id } });
  if (task.status === 200) return task.body.data.title;
  if (task.status === 404) {
    const code: 'not_found' = task.body.code;
    return code;
  }
  // @ts-expect-error 409 isn't declared by this operation
  if (task.status === 409 && task.body.code === 'last_owner') return '';
  return '';
}

export async function create(projectId: string): Promise<number> {
  const made = await client.tasks.create({ params: { projectId }, body: { title: 'Write' } });
  // @ts-expect-error a task needs a title
  await client.tasks.create({ params: { projectId }, body: {} });
  // @ts-expect-error the path needs the project
  await client.tasks.create({ params: {}, body: { title: 'Write' } });
  if (made.status === 201) return made.body.data.number;
  if (made.status === 409) {
    const code: string = made.body.code;
    return code.length;
  }
  return 0;
}

export async function others(id: string) {
  const list = await client.tasks.list({ query: { limit: '20', sort: '-createdAt' } });
  if (list.status === 200) list.body.data.pagination.total.toFixed();
  await client.organizations.acceptInvitation({ params: { token: 'x' } });
  await client.tasks.remove({ params: { id } });
  const health = await client.health.live();
  if (health.status === 200) health.body.data.status satisfies 'ok';
  const stream = await client.events.subscribe();
  if (stream.status === 200) stream.body satisfies unknown;
}
export type Request = ClientInferRequest<typeof contract.tasks.create>;
export type Responses = ClientInferResponses<typeof contract.tasks.create, 201>;
export const request: Request['body'] = { title: 'x' };
