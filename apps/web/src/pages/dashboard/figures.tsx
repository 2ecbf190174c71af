import type { DashboardSummary } from '@atelier/client';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dashboard.ts';
import { classNames } from '../../ui/class-names.ts';

const { figures: words } = texts;

interface Figure {
  readonly label: string;
  readonly value: number;
  readonly to: Extract<
    LinkProps['to'],
    '/my-tasks' | '/projects' | '/collections' | '/settings/members'
  >;
  readonly isAlarming?: boolean;
}

/** Shows the key figures; each links to the page of what it counts. */
export function Figures({ summary }: { readonly summary: DashboardSummary }): ReactNode {
  const { tasks, projects, assets, collections, members } = summary;
  const figures: readonly Figure[] = [
    { label: words.assignedToMe, value: tasks.assignedToMe, to: '/my-tasks' },
    { label: words.overdue, value: tasks.overdue, to: '/projects', isAlarming: tasks.overdue > 0 },
    { label: words.completed, value: tasks.completedLast7Days, to: '/projects' },
    { label: words.projects, value: projects.active, to: '/projects' },
    { label: words.assets, value: assets.count, to: '/collections' },
    { label: words.collections, value: collections, to: '/collections' },
    { label: words.members, value: members, to: '/settings/members' },
  ];
  return (
    <section aria-label={words.label}>
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-4 xl:grid-cols-7">
        {figures.map(({ label, value, to, isAlarming }, index) => (
          <li
            key={label}
            className={classNames(
              'bg-surface',
              // Seven don't fill two or four columns: the last one spans the rest of its row.
              index === figures.length - 1 && 'col-span-2 xl:col-span-1',
            )}
          >
            <Link
              to={to}
              className="flex h-full flex-col px-4 py-3.5 -outline-offset-2 hover:bg-hover"
            >
              <span className="text-sm text-ink-muted">{label}</span>
              <span
                className={classNames(
                  'mt-1 text-2xl font-semibold tabular-nums',
                  isAlarming && 'text-danger',
                )}
              >
                {value.toLocaleString('en')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
