import type { Person, TaskPriority, TaskStatus } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { PickerList } from '../ui/picker.tsx';
import { priorities, statuses } from './kinds.ts';
import { PriorityIcon, StatusIcon } from './marks.tsx';
import { useIsAssignable, usePeople } from './people.ts';

const { drawer: words } = texts;

interface ChoiceProps<Value> {
  /** Undefined: several tasks, which may differ. */
  readonly value: Value | undefined;
  readonly onChoose: (value: Value) => void;
}

/** Lists the statuses, for a picker. */
export function StatusChoice({ value, onChoose }: ChoiceProps<TaskStatus>): ReactNode {
  return (
    <PickerList
      label={texts.status}
      selects="one"
      selected={value === undefined ? [] : [value]}
      onChoose={onChoose}
      options={statuses.map((status) => ({
        value: status,
        label: texts.statuses[status],
        mark: <StatusIcon status={status} />,
      }))}
    />
  );
}

/** Lists the priorities, for a picker. */
export function PriorityChoice({ value, onChoose }: ChoiceProps<TaskPriority>): ReactNode {
  return (
    <PickerList
      label={texts.priority}
      selects="one"
      selected={value === undefined ? [] : [value]}
      onChoose={onChoose}
      options={priorities.map((priority) => ({
        value: priority,
        label: texts.priorities[priority],
        mark: <PriorityIcon priority={priority} />,
      }))}
    />
  );
}

const maxAssignees = 20;

interface PeopleChoiceProps {
  readonly people: readonly Person[];
  readonly onChange: (people: readonly Person[]) => void;
}

/** Lists the members, with those of a task selected; for a picker. */
export function PeopleChoice({ people, onChange }: PeopleChoiceProps): ReactNode {
  const members = usePeople();
  const isAssignable = useIsAssignable();
  // Former members stay assigned until they are removed, and members may not be known yet.
  const others = people.filter(({ id }) => !members.some((member) => member.id === id));
  const isAssigned = (id: string) => people.some((one) => one.id === id);
  const isFull = people.length >= maxAssignees;

  function toggle(id: string): void {
    const added = members.filter((member) => member.id === id && !isAssigned(id));
    // The API rejects the request if it contains a former member.
    onChange([...people.filter((one) => one.id !== id && isAssignable(one)), ...added]);
  }

  return (
    <PickerList
      label={words.chooseAssignees}
      searchLabel={words.findPeople}
      emptyText={words.noPeopleFound}
      selects="many"
      selected={people.map(({ id }) => id)}
      onChoose={toggle}
      options={[...others, ...members].map(({ id, displayName, email, avatarUrl }) => ({
        value: id,
        label: displayName,
        keywords: email,
        mark: <Avatar name={displayName} url={avatarUrl} size="xs" />,
        isDisabled: isFull && !isAssigned(id),
      }))}
      footer={() =>
        isFull ? <p className="px-2 pt-2 text-xs text-ink-muted">{words.maxAssignees}</p> : null
      }
    />
  );
}
