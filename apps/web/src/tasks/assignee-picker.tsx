import type { Person, Task } from '@atelier/client';
import { UserPlus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useLayer } from '../ui/layer.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { usePeople } from './people.ts';
import { useAssign } from './task-changes.ts';

const { drawer: words } = texts;

const maxAssignees = 20;

/** Shows the assignees and a list of members to choose from; each change is saved immediately. */
export function AssigneePicker({ task }: { readonly task: Task }): ReactNode {
  return (
    <Popover.Root>
      <Popover.Trigger className="flex min-h-8 flex-wrap items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 py-1 text-left hover:bg-hover">
        <span className="sr-only">{words.chooseAssignees}:</span>
        {task.assignees.length === 0 ? (
          <span className="flex items-center gap-1.5 text-ink-muted">
            <UserPlus aria-hidden className="size-4" />
            {words.unassigned}
          </span>
        ) : (
          task.assignees.map(({ id, displayName, avatarUrl }) => (
            <span key={id} className="inline-flex min-w-0 items-center gap-1.5 pr-1">
              <Avatar name={displayName} url={avatarUrl} size="xs" />
              <span className="truncate">{displayName}</span>
            </span>
          ))
        )}
      </Popover.Trigger>
      <Popover.Portal container={useLayer()}>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={words.chooseAssignees}
          className="z-50 w-72 rounded-lg border border-line bg-raised p-2 shadow-raised animate-in"
        >
          <Choice task={task} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choice({ task }: { readonly task: Task }): ReactNode {
  const [query, setQuery] = useState('');
  const { mutate } = useAssign();
  const members = usePeople();
  // Former members stay assigned until they are removed.
  const former = task.assignees.filter(({ id }) => members.every((member) => member.id !== id));
  const isAssigned = (id: string) => task.assignees.some((one) => one.id === id);
  const lowered = query.trim().toLowerCase();
  const shown = [...former, ...members].filter(({ displayName, email }) =>
    `${displayName} ${email}`.toLowerCase().includes(lowered),
  );
  const isFull = task.assignees.length >= maxAssignees;

  function toggle(person: Person): void {
    const people = isAssigned(person.id)
      ? task.assignees.filter(({ id }) => id !== person.id)
      : [...task.assignees, person];
    // The API rejects the request if it contains a former member.
    const assignable = people.filter(({ id }) => former.every((one) => one.id !== id));
    mutate({ id: task.id, people: assignable });
  }

  return (
    <>
      <SearchInput label={words.findPeople} value={query} onChange={setQuery} />
      <ul className="mt-2 max-h-56 overflow-y-auto">
        {shown.map((person) => (
          <li key={person.id}>
            <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 hover:bg-hover">
              <input
                type="checkbox"
                className="size-4 shrink-0"
                checked={isAssigned(person.id)}
                disabled={isFull && !isAssigned(person.id)}
                onChange={() => toggle(person)}
              />
              <Avatar name={person.displayName} url={person.avatarUrl} size="xs" />
              <span className="min-w-0 flex-1 truncate">{person.displayName}</span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? (
        <p className="px-2 py-3 text-sm text-ink-muted">{words.noPeopleFound}</p>
      ) : null}
      {isFull ? <p className="px-2 pt-2 text-xs text-ink-muted">{words.maxAssignees}</p> : null}
    </>
  );
}
