import type { TaskStatus } from '@atelier/client';
import { Plus } from 'lucide-react';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { errorText, fieldErrors } from '../../ui/error-texts.ts';
import { createTask, newTask } from '../../tasks/new-task.ts';
import { texts } from '../../texts/project.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea } from '../../ui/field.tsx';
import { useChange } from '../../unsent/use-change.ts';

interface QuickAddProps {
  readonly projectId: string;
  readonly status: TaskStatus;
}

/** Adds tasks to a column: Enter adds one, Escape closes the form. */
export function QuickAdd({ projectId, status }: QuickAddProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState('');
  const [error, setError] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  const column = taskTexts.statuses[status];
  const add = useChange(createTask, {
    onFailed(failure, { title: text }) {
      // Restores the text, unless the user has started another one.
      setTitle((current) => current || text);
      const reason = fieldErrors(failure)['title'] ?? errorText(failure);
      setError(taskTexts.notAdded(text, reason));
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (title.trim() === '') return setError(taskTexts.titleMissing);
    setError(undefined);
    add.mutate(newTask({ projectId, status, title: title.trim() }));
    setTitle('');
  }

  function close(): void {
    // Renders the button at once: a later focus would take it from where the user goes next.
    flushSync(() => {
      setOpen(false);
      setError(undefined);
    });
    opener.current?.focus();
  }

  if (!isOpen) {
    return (
      <button
        ref={opener}
        type="button"
        aria-label={texts.addTaskTo(column)}
        data-create
        onClick={() => setOpen(true)}
        className="mt-2 flex h-8 items-center gap-1.5 rounded-md px-2 text-left text-sm font-medium text-ink-muted hover:bg-hover hover:text-ink"
      >
        <Plus aria-hidden className="size-4" />
        {texts.addTask}
      </button>
    );
  }

  return (
    <form
      className="mt-2 flex flex-col gap-2"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        if (event.target instanceof HTMLTextAreaElement) submit(event);
      }}
    >
      <Textarea
        name="title"
        label={texts.newTaskTitle(column)}
        isLabelHidden
        autoFocus
        rows={2}
        maxLength={255}
        placeholder={texts.newTaskPlaceholder}
        value={title}
        error={error}
        onChange={(event) => setTitle(event.target.value.replaceAll('\n', ' '))}
        className="min-h-14"
      />
      <div className="flex gap-2">
        <Button tone="primary" size="sm" type="submit">
          {texts.addTask}
        </Button>
        <Button tone="quiet" size="sm" onClick={close}>
          {shared.close}
        </Button>
      </div>
    </form>
  );
}
