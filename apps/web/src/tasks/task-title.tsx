import type { Task } from '@atelier/client';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { texts } from '../texts/tasks.ts';
import { Textarea } from '../ui/field.tsx';
import { useUpdateTask } from './task-changes.ts';

interface TaskTitleProps {
  readonly task: Task;
  readonly isReadOnly: boolean;
}

/** Edits the title in place: Enter and blur save, Escape discards. */
export function TaskTitle({ task: { id, title }, isReadOnly }: TaskTitleProps): ReactNode {
  const [typed, setTyped] = useState(title);
  const [error, setError] = useState<string>();
  const isDiscarded = useRef(false);
  const [previous, setPrevious] = useState(title);
  const [refused, setRefused] = useState<string>();
  // Shows a title that was changed elsewhere, unless the user is editing it.
  if (previous !== title) {
    setPrevious(title);
    if (typed.trim() === previous && previous !== refused) setTyped(title);
  }
  const rename = useUpdateTask({
    onUndone: ({ patch }) => setRefused(patch.title),
    onFailed: (failure) => setError(fieldErrors(failure)['title'] ?? errorText(failure)),
  });

  if (isReadOnly) {
    return (
      <p dir="auto" className="flex-1 text-xl font-semibold wrap-anywhere">
        {title}
      </p>
    );
  }

  function save(): void {
    if (isDiscarded.current) {
      isDiscarded.current = false;
      return;
    }
    const next = typed.trim();
    if (next === title) return;
    if (next === '') return setError(texts.titleMissing);
    setError(undefined);
    setRefused(undefined);
    rename.mutate({ id, patch: { title: next } });
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      event.currentTarget.blur();
    }
    if (event.key === 'Escape' && typed !== title) {
      event.preventDefault();
      isDiscarded.current = true;
      setTyped(title);
      setError(undefined);
      event.currentTarget.blur();
    }
  }

  return (
    <div className="-ml-2 min-w-0 flex-1">
      <Textarea
        name="title"
        label={texts.drawer.title}
        isLabelHidden
        rows={1}
        maxLength={255}
        value={typed}
        error={error}
        onChange={(event) => setTyped(event.target.value.replaceAll('\n', ' '))}
        onBlur={save}
        onKeyDown={onKeyDown}
        className="min-h-0! resize-none border-transparent! bg-transparent! px-2! py-1! text-xl! font-semibold hover:bg-hover!"
      />
    </div>
  );
}
