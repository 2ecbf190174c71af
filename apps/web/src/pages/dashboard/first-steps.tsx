import type { DashboardSummary } from '@atelier/client';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  ChevronRight,
  CircleCheckBig,
  FolderUp,
  KanbanSquare,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';

const { firstSteps: words } = texts;

interface Step {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly hint: string;
  readonly to: Extract<LinkProps['to'], '/collections' | '/projects' | '/settings/members'>;
  readonly isDone: boolean;
  readonly isAllowed: boolean;
}

/** Whether there is nothing to count yet. */
export function isUnused({ assets, projects, tasks, collections }: DashboardSummary): boolean {
  return assets.count + collections + projects.active + projects.archived + tasks.total === 0;
}

/** Leads through the first steps in an organization, until the user has done those that their role allows. */
export function FirstSteps({ summary }: { readonly summary: DashboardSummary }): ReactNode {
  const id = useId();
  const steps = useSteps(summary).filter(({ isAllowed }) => isAllowed);
  if (steps.every(({ isDone }) => isDone)) return null;
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card aria-labelledby={id}>
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id}>{words.title}</h2>
        <span className="text-sm text-ink-muted">{words.progress(doneCount, steps.length)}</span>
      </div>
      <ol className="mt-3 grid gap-3 md:auto-cols-fr md:grid-flow-col">
        {steps.map((step) => (
          <li key={step.title}>
            <StepLink step={step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepLink({ step }: { readonly step: Step }): ReactNode {
  const { icon: Icon, title, hint, to, isDone } = step;
  return (
    <Link
      to={to}
      className="flex h-full items-start gap-3 rounded-lg border border-line p-4 hover:bg-hover"
    >
      {isDone ? (
        <CircleCheckBig aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
      ) : (
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      )}
      <span className="min-w-0 flex-1">
        <span className={classNames('block font-medium', isDone && 'text-ink-muted line-through')}>
          {title}
          {isDone ? <span className="sr-only"> {words.done}</span> : null}
        </span>
        <span className="mt-0.5 block text-sm text-ink-muted">{hint}</span>
      </span>
      <ChevronRight aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
    </Link>
  );
}

function useSteps({ assets, projects, members }: DashboardSummary): readonly Step[] {
  const isTeam = useOrganization()?.type === 'TEAM';
  const isContributor = useHasRole('MEMBER');
  const mayInvite = useHasRole('ADMIN');
  return [
    {
      ...words.upload,
      icon: FolderUp,
      to: '/collections',
      isDone: assets.count > 0,
      isAllowed: isContributor,
    },
    {
      ...words.project,
      icon: KanbanSquare,
      to: '/projects',
      isDone: projects.active + projects.archived > 0,
      isAllowed: isContributor,
    },
    {
      ...words.invite,
      icon: UserPlus,
      to: '/settings/members',
      isDone: members > 1,
      isAllowed: isTeam && mayInvite,
    },
  ];
}
