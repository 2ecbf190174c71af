import type { Task } from '@atelier/client';
import { api } from './api';
import { FirstTitle } from './first-title';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const { items } = await api.tasks.list({ query: { limit: 2 } });
  const tasks: readonly Task[] = items;
  return (
    <main>
      <p>{`${tasks.length} tasks`}</p>
      <FirstTitle tasks={items} />
    </main>
  );
}
