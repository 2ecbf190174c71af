import type { ActivityAction, ActivitySummary } from '@atelier/client';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { actionOf } from '../../activity/filters.ts';
import { resourceTypeOf } from '../../activity/search.ts';
import { texts as activity } from '../../texts/activity.ts';
import { texts } from '../../texts/summary.ts';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { DayBars } from './day-bars.tsx';
import { dayLabel, type DayCount } from './days.ts';

interface ChartsProps extends Pick<ActivitySummary, 'total' | 'byAction'> {
  readonly days: readonly DayCount[];
}

/** Shows the activity of a period: totals, counts by day and counts by action. */
export default function Charts({ total, byAction, days }: ChartsProps): ReactNode {
  return (
    <div className="flex flex-col gap-5">
      <Figures total={total} days={days} />
      <DaysCard days={days} />
      <ActionsCard total={total} byAction={byAction} />
    </div>
  );
}

function Figures({ total, days }: Pick<ChartsProps, 'total' | 'days'>): ReactNode {
  const busiest = days.toSorted((a, b) => b.count - a.count)[0];
  const average = total / days.length;
  const figures = [
    { label: texts.count, value: total.toLocaleString('en') },
    {
      label: texts.average,
      value: average.toLocaleString('en', { maximumFractionDigits: average < 10 ? 1 : 0 }),
    },
    { label: texts.busiest, value: busiest ? dayLabel(busiest.day) : '–' },
  ];
  return (
    <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-xl border border-line bg-line">
      {figures.map(({ label, value }) => (
        <div key={label} className="bg-surface px-4 py-3.5">
          <dt className="text-sm text-ink-muted">{label}</dt>
          <dd className="mt-1 text-xl font-semibold tabular-nums sm:text-2xl">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DaysCard({ days }: Pick<ChartsProps, 'days'>): ReactNode {
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <Card aria-labelledby={id}>
      <div className="mb-4 flex items-start justify-between gap-3">
        <div>
          <h2 id={id}>{texts.perDay}</h2>
          <p className="text-sm text-ink-muted">{texts.perDayHint}</p>
        </div>
        <IconButton
          icon={isTable ? ChartNoAxesColumn : Table2}
          label={isTable ? texts.asChart : texts.asTable}
          onClick={() => setTable(!isTable)}
        />
      </div>
      {isTable ? <DayTable days={days} /> : <DayBars days={days} />}
    </Card>
  );
}

function DayTable({ days }: Pick<ChartsProps, 'days'>): ReactNode {
  const [from, to] = [days[0], days.at(-1)].map((one) => (one ? dayLabel(one.day) : ''));
  return (
    <Table caption={texts.chart(from ?? '', to ?? '')}>
      <thead>
        <tr>
          <HeaderCell>{texts.day}</HeaderCell>
          <HeaderCell className="text-right">{texts.count}</HeaderCell>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, count }) => (
          <Row key={day}>
            <Cell>{dayLabel(day)}</Cell>
            <Cell className="text-right tabular-nums">{count.toLocaleString('en')}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** Lists the actions by frequency, each with a bar and its count. */
function ActionsCard({ total, byAction }: Pick<ChartsProps, 'total' | 'byAction'>): ReactNode {
  const counts = Object.entries(byAction)
    .map(([action, count]) => ({ action: actionOf(action), count }))
    .toSorted((a, b) => b.count - a.count);
  const max = counts[0]?.count ?? total;
  return (
    <Card>
      <h2 className="mb-3">{texts.perAction}</h2>
      <ul className="flex flex-col gap-2.5">
        {counts.map(({ action, count }) =>
          action ? (
            <li
              key={action}
              className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[14rem_1fr_3.5rem]"
            >
              <span className="truncate">{actionName(action)}</span>
              <span
                aria-hidden
                className="order-last col-span-2 h-2 rounded-full bg-accent sm:order-none sm:col-span-1"
                style={{ width: `${Math.max((count / max) * 100, 0.5)}%` }}
              />
              <span className="text-right font-medium tabular-nums">
                {count.toLocaleString('en')}
              </span>
            </li>
          ) : null,
        )}
      </ul>
    </Card>
  );
}

function actionName(action: ActivityAction): string {
  const type = resourceTypeOf(action.split('.')[0]);
  return type ? `${activity.resources[type].title}: ${activity.actions[action].label}` : action;
}
