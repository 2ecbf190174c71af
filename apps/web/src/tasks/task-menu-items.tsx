import type { Task } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import {
  CalendarClock,
  ChevronsUp,
  CopyPlus,
  Link,
  Maximize2,
  Tag,
  Trash2,
  UserPlus,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { texts as labelTexts } from '../texts/labels.ts';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { errorText } from '../ui/error-texts.ts';
import { MenuItem, MenuLabel, MenuRadioGroup, MenuSeparator } from '../ui/menu.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { MenuCheckItem, Submenu } from '../ui/submenu.tsx';
import { copyLink } from './copy-link.ts';
import { endOfDay } from './due-date.ts';
import { priorities } from './kinds.ts';
import { LabelDot } from './label-chip.tsx';
import { useLabels, useSetLabels } from './labels.ts';
import { priorityIcons } from './marks.tsx';
import { nearDays } from './near-days.ts';
import { usePeople } from './people.ts';
import { useTakesTasks } from './projects.ts';
import { useAssign, useDeleteTasks, useUpdateTask } from './task-changes.ts';
import { useDuplicateTask } from './use-duplicate.ts';
import { dayOf } from '../ui/calendar-days.ts';

const { drawer: words } = texts;

interface TaskMenuItemsProps {
  readonly task: Task;
}

/** Items of a menu for everything that can be done with a task, except for its status. */
export function TaskMenuItems({ task }: TaskMenuItemsProps): ReactNode {
  const { id, projectId, priority } = task;
  const navigate = useNavigate();
  const update = useUpdateTask();
  const duplicate = useDuplicateTask();
  const takesTasks = useTakesTasks(projectId);
  const remove = useDeleteTasks();
  const params = { id: projectId, taskId: id };
  return (
    <>
      <Submenu icon={ChevronsUp} label={texts.priority}>
        <MenuRadioGroup
          value={priority}
          onChange={(next) => update.mutate({ id, patch: { priority: next } })}
          options={priorities.map((value) => ({
            value,
            label: texts.priorities[value],
            icon: priorityIcons[value],
          }))}
        />
      </Submenu>
      <Submenu icon={UserPlus} label={texts.assignees}>
        <PeopleItems task={task} />
      </Submenu>
      <Submenu icon={Tag} label={texts.labels}>
        <LabelItems task={task} />
      </Submenu>
      <Submenu icon={CalendarClock} label={texts.dueDate}>
        {nearDays(dayOf(Date.now())).map(({ label, day }) => (
          <MenuItem
            key={label}
            onSelect={() => update.mutate({ id, patch: { dueDate: endOfDay(day) } })}
          >
            {label}
          </MenuItem>
        ))}
        <MenuItem
          isDisabled={task.dueDate === null}
          onSelect={() => update.mutate({ id, patch: { dueDate: null } })}
        >
          {words.clearDue}
        </MenuItem>
      </Submenu>
      <MenuSeparator />
      <MenuItem
        icon={Maximize2}
        onSelect={() => void navigate({ to: '/projects/$id/tasks/$taskId', params })}
      >
        {words.openPage}
      </MenuItem>
      <MenuItem icon={Link} onSelect={() => void copyLink(task)}>
        {words.copyLink}
      </MenuItem>
      {takesTasks ? (
        <MenuItem icon={CopyPlus} onSelect={() => duplicate(task)}>
          {words.duplicate}
        </MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuItem icon={Trash2} tone="danger" onSelect={() => remove([task])}>
        {words.delete}
      </MenuItem>
    </>
  );
}

function PeopleItems({ task: { id, assignees } }: TaskMenuItemsProps): ReactNode {
  const members = usePeople();
  const { mutate } = useAssign();
  const isAssigned = (userId: string) => assignees.some((one) => one.id === userId);
  return members.map((member) => (
    <MenuCheckItem
      key={member.id}
      isChecked={isAssigned(member.id)}
      mark={<Avatar name={member.displayName} url={member.avatarUrl} size="xs" />}
      onChange={() => {
        // The API rejects former members.
        const people = members.filter((one) => isAssigned(one.id) !== (one.id === member.id));
        mutate({ id, people });
      }}
    >
      {member.displayName}
    </MenuCheckItem>
  ));
}

function LabelItems({ task: { id, labels } }: TaskMenuItemsProps): ReactNode {
  const { data: all, error } = useLabels();
  const { mutate } = useSetLabels();
  const carries = (labelId: string) => labels.some((one) => one.id === labelId);
  if (!all) {
    return <MenuLabel>{error ? errorText(error) : <Skeleton className="h-5 w-24" />}</MenuLabel>;
  }
  if (all.length === 0) return <MenuLabel>{labelTexts.noneYet}</MenuLabel>;
  return all.map((label) => (
    <MenuCheckItem
      key={label.id}
      isChecked={carries(label.id)}
      mark={<LabelDot color={label.color} />}
      onChange={() => {
        const next = all.filter((one) => carries(one.id) !== (one.id === label.id));
        mutate({
          id,
          labels: next.map((one) => ({ id: one.id, name: one.name, color: one.color })),
        });
      }}
    >
      {label.name}
    </MenuCheckItem>
  ));
}
