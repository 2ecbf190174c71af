import type { Task } from '@atelier/client';
import { Link as RouterLink } from '@tanstack/react-router';
import { CopyPlus, Link, Maximize2, MoreHorizontal, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHasRole } from '../session/account.ts';
import { texts } from '../texts/tasks.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Picker } from '../ui/picker.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { StatusChoice } from './choices.tsx';
import { copyLink } from './copy-link.ts';
import { StatusMark } from './marks.tsx';
import { useTakesTasks } from './projects.ts';
import { PropertyButton } from './property-button.tsx';
import { useDeleteTasks, useUpdateTask } from './task-changes.ts';
import { useDuplicateTask } from './use-duplicate.ts';

const { drawer: words } = texts;

interface TaskToolsProps {
  readonly task: Task;
  /** Called when the task is gone. */
  readonly onDeleted: () => void;
  /** Where they are shown: the page of the task doesn't lead to itself. */
  readonly place: 'panel' | 'page';
}

/** Shows the status of a task, and what can be done with all of it. */
export function TaskTools({ task, onDeleted, place }: TaskToolsProps): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  return (
    <div className="flex min-w-0 flex-1 items-center gap-0.5">
      <span className="mr-auto min-w-0">
        {mayEdit ? (
          <StatusField task={task} />
        ) : (
          <span className="px-2">
            <StatusMark status={task.status} />
          </span>
        )}
      </span>
      <IconButton icon={Link} label={words.copyLink} onClick={() => void copyLink(task)} />
      {place === 'panel' ? (
        <Tooltip text={words.openPage}>
          <RouterLink
            to="/projects/$id/tasks/$taskId"
            params={{ id: task.projectId, taskId: task.id }}
            aria-label={words.openPage}
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-muted hover:bg-hover hover:text-ink"
          >
            <Maximize2 aria-hidden className="size-4" />
          </RouterLink>
        </Tooltip>
      ) : null}
      {mayEdit ? <TaskMenu task={task} onDeleted={onDeleted} /> : null}
    </div>
  );
}

function StatusField({ task: { id, status } }: Pick<TaskToolsProps, 'task'>): ReactNode {
  const { mutate } = useUpdateTask();
  return (
    <Picker
      label={texts.status}
      trigger={
        <PropertyButton name={texts.status}>
          <StatusMark status={status} />
        </PropertyButton>
      }
    >
      {(close) => (
        <StatusChoice
          value={status}
          onChoose={(next) => {
            close();
            if (next !== status) mutate({ id, patch: { status: next } });
          }}
        />
      )}
    </Picker>
  );
}

function TaskMenu({ task, onDeleted }: Pick<TaskToolsProps, 'task' | 'onDeleted'>): ReactNode {
  const remove = useDeleteTasks();
  const duplicate = useDuplicateTask();
  const takesTasks = useTakesTasks(task.projectId);
  return (
    <Menu trigger={<IconButton icon={MoreHorizontal} label={words.actions} />}>
      {takesTasks ? (
        <>
          <MenuItem icon={CopyPlus} onSelect={() => duplicate(task)}>
            {words.duplicate}
          </MenuItem>
          <MenuSeparator />
        </>
      ) : null}
      <MenuItem
        icon={Trash2}
        tone="danger"
        onSelect={() => {
          remove([task]);
          onDeleted();
        }}
      >
        {words.delete}
      </MenuItem>
    </Menu>
  );
}
