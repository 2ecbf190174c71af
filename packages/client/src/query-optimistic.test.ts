import { MutationObserver, QueryClient, type QueryKey } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { editCached, optimistic } from './react-query.ts';
import { gate } from './testing/service.ts';

interface Item {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

const taskKey = ['atelier', 'tasks', 'get', {}];
const projectKey = ['atelier', 'projects', 'get', {}];
const tasks: QueryKey = ['atelier', 'tasks'];
const projects: QueryKey = ['atelier', 'projects'];
const original: Item = { id: 'a', title: 'old', status: 'TODO' };

/** Caches a task and a project, and changes them by mutations whose responses the test opens. */
function cached() {
  const client = new QueryClient();
  client.setQueryData(taskKey, original);
  client.setQueryData(projectKey, original);
  function change(edit: Partial<Item>, keys: readonly QueryKey[] = [tasks]) {
    const responded = gate();
    let isRefused = false;
    const update = () =>
      editCached<Item>(client, { keys, ids: ['a'], edit: (item) => ({ ...item, ...edit }) });
    const done = new MutationObserver(client, {
      async mutationFn() {
        await responded.opened;
        if (isRefused) throw new Error('refused');
      },
      ...optimistic<void>(client, { keys, update }),
    }).mutate();
    const settled = done.catch(() => {});
    return {
      accept: async () => (responded.open(), settled),
      refuse: async () => ((isRefused = true), responded.open(), settled),
    };
  }
  return {
    change,
    task: () => client.getQueryData<Item>(taskKey),
    project: () => client.getQueryData<Item>(projectKey),
  };
}

test('of two mutations that fail one after the other, neither change is left', async () => {
  const { change, task } = cached();
  const first = change({ title: 'new' });
  const second = change({ status: 'DONE' });
  await expect.poll(task).toEqual({ ...original, title: 'new', status: 'DONE' });

  await first.refuse();
  expect(task()).toEqual({ ...original, status: 'DONE' });
  await second.refuse();
  expect(task()).toEqual(original);
});

test('the change of a mutation is kept when the one before it fails', async () => {
  const { change, task } = cached();
  const first = change({ title: 'new' });
  const second = change({ status: 'DONE' });
  const third = change({ title: 'newest' });
  await expect.poll(task).toEqual({ ...original, title: 'newest', status: 'DONE' });

  await first.refuse();
  expect(task()).toEqual({ ...original, title: 'newest', status: 'DONE' });
  await second.accept();
  await third.refuse();
  expect(task()).toEqual({ ...original, status: 'DONE' });
});

test('what only the later mutation changes is rolled back with it', async () => {
  const { change, project } = cached();
  const first = change({ title: 'new' });
  const second = change({ status: 'DONE' }, [tasks, projects]);
  await expect.poll(project).toEqual({ ...original, status: 'DONE' });

  await first.refuse();
  expect(project()).toEqual({ ...original, status: 'DONE' });
  await second.refuse();
  expect(project()).toEqual(original);
});
