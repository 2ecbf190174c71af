// Calls a service through every generated client, and compiles against every generated type:
// node generated.js <base URL> <email> <password>
import createClient from 'openapi-fetch';
import * as hey from './generated/hey/index.ts';
import { client } from './generated/hey/client.gen.ts';
import * as orval7 from './generated/orval7.ts';
import * as orval8 from './generated/orval8.ts';
import type { paths } from './generated/schema.d.ts';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', email = '', password = ''] = process.argv;

function assertEqual(seen: unknown, wanted: unknown): void {
  if (JSON.stringify(seen) === JSON.stringify(wanted)) return;
  throw new Error(`${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`);
}

const visitor = createClient<paths>({ baseUrl });
const signedIn = await visitor.POST('/api/auth/login', { body: { email, password } });
const headers = { authorization: `Bearer ${signedIn.data?.data.token.accessToken ?? ''}` };
const typed = createClient<paths>({ baseUrl, headers });
const project = await typed.POST('/api/projects', { body: { name: 'Generated clients' } });
const projectId = project.data?.data.id ?? '';
const params = { path: { projectId } };
const made = await typed.POST('/api/projects/{projectId}/tasks', {
  params,
  body: { title: 'Write' },
});
assertEqual([made.response.status, made.data?.data.title], [201, 'Write']);
const id = made.data?.data.id ?? '';
const list = await typed.GET('/api/tasks', { params: { query: { limit: 1, projectId } } });
assertEqual(
  list.data?.data.items.map((task) => task.id),
  [id],
);
await typed.DELETE('/api/tasks/{id}', { params: { path: { id } } });
const failed = await typed.GET('/api/tasks/{id}', { params: { path: { id } } });
assertEqual([failed.response.status, failed.error?.code], [404, 'not_found']);
// @ts-expect-error a task needs a title
void (() => typed.POST('/api/projects/{projectId}/tasks', { params, body: {} }));

client.setConfig({ baseUrl, headers });
const heyMade = await hey.tasksCreate({ path: { projectId }, body: { title: 'Write' } });
assertEqual([heyMade.response?.status, heyMade.data?.data.title], [201, 'Write']);
const heyList = await hey.tasksList({ query: { limit: 1, projectId } });
assertEqual(heyList.data?.data.items[0]?.title, 'Write');
// @ts-expect-error a task needs a title
void (() => hey.tasksCreate({ path: { projectId }, body: {} }));

// What orval generates sends relative addresses.
const send = globalThis.fetch;
globalThis.fetch = (address, init) =>
  send(typeof address === 'string' ? new URL(address, baseUrl) : address, init);
const sent7 = await orval7.tasksCreate(projectId, { title: 'Write' }, { headers });
assertEqual([sent7.status, sent7.status === 201 && sent7.data.data.title], [201, 'Write']);
const sent8 = await orval8.tasksCreate(projectId, { title: 'Write' }, { headers });
assertEqual([sent8.status, sent8.status === 201 && sent8.data.data.title], [201, 'Write']);
// @ts-expect-error a task needs a title
void (() => orval8.tasksCreate(projectId, {}));
