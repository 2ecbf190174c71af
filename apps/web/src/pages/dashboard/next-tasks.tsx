import type { Task, TaskStatus } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Coffee } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useComposedQuery } from '../../session/queries.ts';
import { Due } from '../../tasks/due.tsx';
import { texts } from '../../texts/dashboard.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Load } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { mostUrgentFirst } from './due.ts';

const { next: words } = texts;
const shownCount = 6;
const openStatuses: readonly TaskStatus[] = ['IN_PROGRESS', 'IN_REVIEW', 'TODO', 'BACKLOG'];

/** Lists the user's next tasks. */
export function NextTasks(): ReactNode {
  const id = useId();
  const tasks = useComposedQuery({
    key: ['tasks', 'mine', 'next'],
    // The API filters by a single status: one request for each open one.
    async read(options) {
      const lists = await Promise.all(
        openStatuses.map((status) =>
          api.tasks.list(
            { query: { assigneeId: 'me', status, sort: 'dueDate', limit: shownCount } },
            options,
          ),
        ),
      );
      return mostUrgentFirst(lists.flatMap(({ items }) => items)).slice(0, shownCount);
    },
  });
  return (
    <Card aria-labelledby={id}>
      <div className="flex items-center justify-between gap-3">
        <h2 id={id}>{words.title}</h2>
        <Link
          to="/my-tasks"
          className="text-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          {words.all}
        </Link>
      </div>
      <div className="mt-2">
        <Load query={tasks} skeleton={<SkeletonRows count={4} />}>
          {(next) =>
            next.length === 0 ? (
              <EmptyState icon={Coffee} title={words.empty}>
                {words.emptyHint}
              </EmptyState>
            ) : (
              <ul className="-mx-2">
                {next.map((task) => (
                  <NextTask key={task.id} task={task} />
                ))}
              </ul>
            )
          }
        </Load>
      </div>
    </Card>
  );
}

function NextTask({ task }: { readonly task: Task }): ReactNode {
  const { id, projectId, title, status } = task;
  return (
    <li>
      <Link
        to="/projects/$id"
        params={{ id: projectId }}
        search={{ task: id }}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-2 py-2 hover:bg-hover"
      >
        <span dir="auto" className="min-w-0 flex-1 basis-full truncate sm:basis-0">
          {title}
        </span>
        <span className="text-sm">
          <Due task={task} />
        </span>
        <Badge>{texts.tasks.statuses[status]}</Badge>
      </Link>
    </li>
  );
}
