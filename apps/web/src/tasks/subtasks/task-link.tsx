import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TaskLinkProps {
  readonly task: { readonly id: string; readonly title: string; readonly projectId: string };
  /** Where it is shown: a panel leads to another one, a page to another page. */
  readonly layout: 'panel' | 'page';
}

/** Leads to another task, by its title. */
export function TaskLink({ task: { id, title, projectId }, layout }: TaskLinkProps): ReactNode {
  const className = 'hover:underline';
  return layout === 'panel' ? (
    <Link
      dir="auto"
      to="."
      search={(before) => ({ ...before, task: id })}
      preload={false}
      className={className}
    >
      {title}
    </Link>
  ) : (
    <Link
      dir="auto"
      to="/projects/$id/tasks/$taskId"
      params={{ id: projectId, taskId: id }}
      className={className}
    >
      {title}
    </Link>
  );
}
