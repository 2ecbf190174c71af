import type { Project, Task } from '@atelier/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import type { Selection } from '../../library/selection.ts';
import { useHasRole } from '../../session/account.ts';
import { Due } from '../../tasks/due.tsx';
import { LabelChips } from '../../tasks/label-chip.tsx';
import { Assignees, PriorityMark, StatusMark } from '../../tasks/marks.tsx';
import { TaskMenuItems } from '../../tasks/task-menu-items.tsx';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { UnsentMark } from '../../unsent/unsent-mark.tsx';
import type { TaskGroup } from './groups.tsx';

const { columns } = texts;

interface TaskRowsProps {
  readonly project: Project;
  /** One without a name is not headed. */
  readonly groups: readonly TaskGroup[];
  readonly selection: Selection;
  readonly onEnd: () => void;
}

/** Shows tasks as rows: J and K go through them, X selects, E opens. */
export function TaskRows({ project, groups, selection, onEnd }: TaskRowsProps): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  const navigate = useNavigate({ from: '/projects/$id' });
  const list = useRef<HTMLDivElement>(null);
  const count = groups.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const areAllSelected = count > 0 && selection.count >= count;
  useShortcuts(list, {
    onEnd,
    onKey(key, id) {
      if (key === 'x' && mayEdit) selection.toggle(id, { isRange: false });
      if (key === 'e') void navigate({ search: (before) => ({ ...before, task: id }) });
    },
  });
  return (
    <div ref={list}>
      <Table caption={texts.tasksOf(project.name)}>
        <thead>
          <tr>
            {mayEdit ? (
              <HeaderCell className="w-10 pr-0">
                <input
                  type="checkbox"
                  aria-label={texts.bulk.selectAll}
                  checked={areAllSelected}
                  ref={(box) => {
                    if (box) box.indeterminate = selection.count > 0 && !areAllSelected;
                  }}
                  onChange={() => (areAllSelected ? selection.clear() : selection.selectAll())}
                  className="block size-4 cursor-pointer"
                />
              </HeaderCell>
            ) : null}
            <HeaderCell className="hidden sm:table-cell">{columns.number}</HeaderCell>
            <HeaderCell className="w-full">{columns.title}</HeaderCell>
            <HeaderCell>{columns.status}</HeaderCell>
            <HeaderCell>{columns.priority}</HeaderCell>
            <HeaderCell>{columns.assignees}</HeaderCell>
            <HeaderCell>{columns.due}</HeaderCell>
            <HeaderCell>{columns.updated}</HeaderCell>
            {mayEdit ? (
              <HeaderCell>
                <span className="sr-only">{columns.actions}</span>
              </HeaderCell>
            ) : null}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key}>
            {group.name === '' ? null : (
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={9}
                  className="border-b border-line bg-sunken px-4 py-2 text-left text-sm font-semibold"
                >
                  <span className="flex items-center gap-2">
                    {group.mark}
                    {group.name}
                    <span className="font-normal text-ink-muted tabular-nums">
                      {group.tasks.length}
                    </span>
                  </span>
                </th>
              </tr>
            )}
            {group.tasks.map((task) => (
              <TaskRow
                key={task.id}
                task={task}
                projectKey={project.key}
                selection={mayEdit ? selection : undefined}
              />
            ))}
          </tbody>
        ))}
      </Table>
    </div>
  );
}

interface TaskRowProps {
  readonly task: Task;
  readonly projectKey: string;
  /** Undefined for users who may not change tasks. */
  readonly selection: Selection | undefined;
}

function TaskRow({ task, projectKey, selection }: TaskRowProps): ReactNode {
  const { id, title } = task;
  return (
    <Row data-row={id} className={selection?.has(id) ? 'bg-accent-soft/60' : undefined}>
      {selection ? (
        <Cell className="pr-0">
          <input
            type="checkbox"
            aria-label={texts.bulk.select(title)}
            checked={selection.has(id)}
            onChange={({ nativeEvent }) =>
              selection.toggle(id, {
                isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
              })
            }
            className="block size-4 cursor-pointer"
          />
        </Cell>
      ) : null}
      <Cell className="hidden text-sm whitespace-nowrap text-ink-muted tabular-nums sm:table-cell">
        {projectKey}-{task.number}
      </Cell>
      <Cell className="min-w-56">
        <Link
          dir="auto"
          from="/projects/$id"
          to="."
          search={(before) => ({ ...before, task: id })}
          preload={false}
          data-row-focus
          className="font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {title}
        </Link>
        <UnsentMark id={id} />
        {task.labels.length > 0 ? (
          <div className="mt-1">
            <LabelChips labels={task.labels} />
          </div>
        ) : null}
      </Cell>
      <Cell>
        <StatusMark status={task.status} />
      </Cell>
      <Cell>
        <PriorityMark priority={task.priority} />
      </Cell>
      <Cell>
        <Assignees people={task.assignees} />
      </Cell>
      <Cell className="text-sm">
        <Due task={task} />
      </Cell>
      <Cell className="text-sm whitespace-nowrap text-ink-muted">
        <Time at={task.updatedAt} />
      </Cell>
      {selection ? (
        <Cell className="py-1.5 pl-0">
          <Menu
            trigger={
              <IconButton icon={MoreHorizontal} size="sm" label={taskTexts.actionsFor(title)} />
            }
          >
            <TaskMenuItems task={task} />
          </Menu>
        </Cell>
      ) : null}
    </Row>
  );
}
