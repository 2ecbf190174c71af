import type { ReactNode } from 'react';
import { LabelChips } from '../../../tasks/label-chip.tsx';
import { Assignees, PriorityMark, StatusMark } from '../../../tasks/marks.tsx';
import { texts } from '../../../texts/task-csv.ts';
import { Cell, HeaderCell, Row, Table } from '../../../ui/table.tsx';
import { shortDate } from '../../../ui/time-format.ts';
import type { ImportPlan } from './columns.ts';

const { columns } = texts;

/** Shows what an import will add, and what it leaves out. */
export function Preview({ tasks, skipped }: ImportPlan): ReactNode {
  const left = tasks.flatMap(({ line, problems }) => problems.map((reason) => ({ line, reason })));
  return (
    <>
      <p role="status" className="font-medium">
        {texts.summary(tasks.length)}
      </p>
      {left.length > 0 ? <Lines title={texts.warnings(left.length)} lines={left} /> : null}
      {skipped.length > 0 ? (
        <Lines title={texts.skippedLines(skipped.length)} lines={skipped} />
      ) : null}
      {tasks.length > 0 ? (
        <Table caption={texts.preview}>
          <thead>
            <tr>
              <HeaderCell className="w-full">{columns.title}</HeaderCell>
              <HeaderCell>{columns.status}</HeaderCell>
              <HeaderCell>{columns.priority}</HeaderCell>
              <HeaderCell>{columns.assignees}</HeaderCell>
              <HeaderCell>{columns.dueDate}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {tasks.map(({ line, title, status, fields }) => (
              <Row key={line}>
                <Cell className="min-w-56 wrap-anywhere">
                  {title}
                  <LabelChips labels={fields.labels} />
                </Cell>
                <Cell>
                  <StatusMark status={status} />
                </Cell>
                <Cell>
                  <PriorityMark priority={fields.priority} />
                </Cell>
                <Cell>
                  <Assignees people={fields.assignees} />
                </Cell>
                <Cell className="text-sm whitespace-nowrap">
                  {fields.dueDate === null ? null : shortDate(fields.dueDate)}
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      ) : null}
    </>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly { readonly line: number; readonly reason: string }[];
}

function Lines({ title, lines }: LinesProps): ReactNode {
  return (
    <div className="rounded-lg bg-warning-soft px-4 py-3 text-warning">
      <p className="font-medium">{title}</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {lines.map(({ line, reason }) => (
          <li key={`${line} ${reason}`}>{texts.line(line, reason)}</li>
        ))}
      </ul>
    </div>
  );
}
