import type { DashboardSummary, TaskStatus } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { ChartPie, KanbanSquare, Table2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { texts } from '../../texts/dashboard.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { Ring } from './ring.tsx';

const { tasks: words } = texts;

const statuses: readonly TaskStatus[] = [
  'BACKLOG',
  'TODO',
  'IN_PROGRESS',
  'IN_REVIEW',
  'DONE',
  'CANCELLED',
];

const colours: Record<TaskStatus, { stroke: string; dot: string }> = {
  BACKLOG: { stroke: 'stroke-line-strong', dot: 'bg-line-strong' },
  TODO: { stroke: 'stroke-chart-todo', dot: 'bg-chart-todo' },
  IN_PROGRESS: { stroke: 'stroke-chart-progress', dot: 'bg-chart-progress' },
  IN_REVIEW: { stroke: 'stroke-chart-review', dot: 'bg-chart-review' },
  DONE: { stroke: 'stroke-chart-done', dot: 'bg-chart-done' },
  CANCELLED: { stroke: 'stroke-line', dot: 'bg-line' },
};

interface TasksChartProps {
  readonly counts: DashboardSummary['tasks'];
}

/** Shows the number of tasks by status, as a ring or as a table. */
export default function TasksChart({ counts }: TasksChartProps): ReactNode {
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <Card aria-labelledby={id}>
      <div className="flex items-center justify-between gap-3">
        <h2 id={id}>{words.title}</h2>
        {counts.total > 0 ? (
          <IconButton
            icon={isTable ? ChartPie : Table2}
            label={isTable ? words.asChart : words.asTable}
            className="-my-1.5 -mr-2"
            onClick={() => setTable(!isTable)}
          />
        ) : null}
      </div>
      <div className="mt-3">
        <Counts counts={counts} shape={isTable ? 'table' : 'ring'} />
      </div>
    </Card>
  );
}

function Counts({
  counts,
  shape,
}: TasksChartProps & { readonly shape: 'table' | 'ring' }): ReactNode {
  if (counts.total === 0) {
    return (
      <EmptyState
        icon={KanbanSquare}
        title={words.empty}
        action={
          <Link to="/projects" className={buttonClass()}>
            {words.toProjects}
          </Link>
        }
      >
        {words.emptyHint}
      </EmptyState>
    );
  }
  return shape === 'table' ? <CountTable counts={counts} /> : <CountRing counts={counts} />;
}

function CountRing({ counts }: TasksChartProps): ReactNode {
  const parts = statuses.map((status) => ({
    key: status,
    value: counts.byStatus[status],
    className: colours[status].stroke,
  }));
  return (
    <div className="flex flex-col items-center gap-6 sm:flex-row sm:gap-10">
      <Ring
        parts={parts}
        total={counts.total}
        unit={words.unit(counts.total)}
        caption={words.total(counts.total)}
      />
      <ul className="grid w-full flex-1 grid-cols-1 gap-y-1">
        {statuses.map((status) => (
          <li key={status} className="flex items-center gap-2.5 py-1">
            <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${colours[status].dot}`} />
            <span className="flex-1">{words.statuses[status]}</span>
            <span className="font-medium tabular-nums">
              {counts.byStatus[status].toLocaleString('en')}
            </span>
            <span className="w-12 text-right text-sm text-ink-muted tabular-nums">
              {shareOf(counts, status)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function CountTable({ counts }: TasksChartProps): ReactNode {
  return (
    <Table caption={words.caption(counts.total)}>
      <thead>
        <tr>
          <HeaderCell>{words.status}</HeaderCell>
          <HeaderCell className="text-right">{words.count}</HeaderCell>
          <HeaderCell className="text-right">{words.share}</HeaderCell>
        </tr>
      </thead>
      <tbody>
        {statuses.map((status) => (
          <Row key={status}>
            <Cell>{words.statuses[status]}</Cell>
            <Cell className="text-right tabular-nums">
              {counts.byStatus[status].toLocaleString('en')}
            </Cell>
            <Cell className="text-right tabular-nums">{shareOf(counts, status)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

function shareOf(counts: DashboardSummary['tasks'], status: TaskStatus): string {
  return percent.format(counts.byStatus[status] / counts.total);
}
