import type { Person, Project, Task, TaskLabel } from '@atelier/client';
import { useEffect, useRef, type ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import { priorities } from '../../tasks/kinds.ts';
import { oneOf } from '../../ui/options.ts';
import { useSetLabels } from '../../tasks/labels.ts';
import { useIsAssignable } from '../../tasks/people.ts';
import { useAssign, useUpdateTask } from '../../tasks/task-changes.ts';
import type { Drop } from '../../ui/drag.ts';
import { useDragAndDrop } from '../../ui/use-drag.ts';
import { BoardColumn } from './board-column.tsx';
import { BoardFrame } from './board-frame.tsx';
import { groupsOf } from './groups.tsx';
import type { Grouping } from './search.ts';
import { TaskCard } from './task-card.tsx';
import { useCollapsed } from './use-collapsed.ts';

interface GroupedBoardProps {
  readonly project: Project;
  readonly tasks: readonly Task[];
  readonly grouping: Exclude<Grouping, 'status'>;
}

/** Shows the tasks of a project by priority, assignee or label; a card that is dropped elsewhere changes that. */
export function GroupedBoard({ project, tasks, grouping }: GroupedBoardProps): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  const drag = useDragAndDrop(mayEdit);
  const collapsed = useCollapsed(`${project.id}_${grouping}`);
  const update = useUpdateTask();
  const regroup = useRegroup(tasks, grouping);

  function drop({ id, list }: Drop): void {
    const [from = '', taskId = ''] = id.split('/');
    if (list !== undefined && list !== from) regroup(taskId, { from, to: list });
  }
  const latestDrop = useRef(drop);
  useEffect(() => {
    latestDrop.current = drop;
  });
  useEffect(() => drag?.followDrops('task', (dropped) => latestDrop.current(dropped)), [drag]);

  return (
    <BoardFrame name={project.name}>
      {groupsOf(tasks, grouping).map((group) => (
        <BoardColumn
          key={group.key}
          group={group}
          drag={drag}
          isCollapsed={collapsed.has(group.key)}
          onToggle={() => collapsed.toggle(group.key)}
        >
          {group.tasks.map((task) => (
            <TaskCard
              key={task.id}
              task={task}
              projectKey={project.key}
              drag={drag}
              dragId={`${group.key}/${task.id}`}
              mayEdit={mayEdit}
              onStatus={(status) => update.mutate({ id: task.id, patch: { status } })}
            />
          ))}
        </BoardColumn>
      ))}
    </BoardFrame>
  );
}

interface Regrouping {
  readonly from: string;
  readonly to: string;
}

/** Returns what moves a task from one group to another. */
function useRegroup(tasks: readonly Task[], grouping: GroupedBoardProps['grouping']) {
  const update = useUpdateTask();
  const assign = useAssign();
  const label = useSetLabels();
  const isAssignable = useIsAssignable();
  return (id: string, { from, to }: Regrouping): void => {
    const task = tasks.find((one) => one.id === id);
    if (!task) return;
    if (grouping === 'priority') {
      const priority = oneOf(priorities, to);
      if (priority) update.mutate({ id, patch: { priority } });
    } else if (grouping === 'assignee') {
      const known = tasks.flatMap(({ assignees }) => assignees);
      // The API rejects former members.
      const current = task.assignees.filter(isAssignable);
      assign.mutate({ id, people: replaced<Person>(current, { known, from, to }) });
    } else {
      const known = tasks.flatMap(({ labels }) => labels);
      label.mutate({ id, labels: replaced<TaskLabel>(task.labels, { known, from, to }) });
    }
  };
}

function replaced<Item extends { readonly id: string }>(
  items: readonly Item[],
  { known, from, to }: Regrouping & { readonly known: readonly Item[] },
): readonly Item[] {
  const added = known.find(({ id }) => id === to);
  const others = items.filter(({ id }) => id !== from && id !== to);
  return added ? [...others, added] : others;
}
