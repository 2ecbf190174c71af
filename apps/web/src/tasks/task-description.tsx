import type { Task } from '@atelier/client';
import { onlineManager } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useDraft } from '../forms/drafts.ts';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { Textarea } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { RichText } from './rich-text.tsx';
import { useUpdateTask } from './task-changes.ts';

const { drawer: words } = texts;

interface TaskDescriptionProps {
  readonly task: Task;
  readonly isReadOnly: boolean;
  /** Follows the headings above. */
  readonly headingLevel: 'h2' | 'h3';
}

/** Shows the description and edits it. */
export function TaskDescription({
  task,
  isReadOnly,
  headingLevel: Heading,
}: TaskDescriptionProps): ReactNode {
  const headingId = useId();
  const { mutate } = useUpdateTask();
  const [draft] = useDescriptionDraft(task);
  const [isOpened, setOpened] = useState(false);
  // What was typed is never hidden, such as while an earlier text is saved.
  const isEditing = !isReadOnly && (isOpened || draft !== undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) opener.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  return (
    <section aria-labelledby={headingId}>
      <div className="mb-1 flex min-h-7 items-center justify-between">
        <Heading id={headingId} className="text-base">
          {words.description}
        </Heading>
        {isReadOnly || isEditing ? null : (
          <IconButton
            ref={opener}
            icon={Pencil}
            size="sm"
            label={words.editDescription}
            onClick={() => setOpened(true)}
          />
        )}
      </div>
      {isEditing ? (
        <Editor task={task} onClose={() => setOpened(false)} />
      ) : task.description ? (
        <RichText
          text={task.description}
          onChange={
            isReadOnly
              ? undefined
              : (description) => mutate({ id: task.id, patch: { description } })
          }
        />
      ) : isReadOnly ? (
        <p className="text-ink-muted">{words.noDescription}</p>
      ) : (
        <button
          type="button"
          onClick={() => setOpened(true)}
          className="w-full rounded-md border border-dashed border-line px-3 py-3 text-left text-ink-muted hover:bg-hover"
        >
          {words.addDescription}
        </button>
      )}
    </section>
  );
}

/** A description that is being edited, and the one that it began with. */
interface DescriptionDraft {
  readonly typed: string;
  readonly base: string | null;
}

const useDescriptionDraft = ({ id }: Pick<Task, 'id'>) =>
  useDraft<DescriptionDraft>(`description of task ${id}`);

interface EditorProps {
  readonly task: Task;
  readonly onClose: () => void;
}

function Editor({ task, onClose }: EditorProps): ReactNode {
  const { id, description } = task;
  const [draft, change] = useDescriptionDraft(task);
  const { typed, base } = draft ?? { typed: description ?? '', base: description };
  const [error, setError] = useState<string>();
  const describe = useUpdateTask({
    onDone: onClose,
    onUndone: ({ patch }) =>
      change((current) => current ?? { typed: patch.description ?? '', base }),
    onFailed: (failure) => setError(fieldErrors(failure)['description'] ?? errorText(failure)),
  });
  const next = typed.trim() === '' ? null : typed;
  const hasConflict = description !== base && description !== next && !describe.isPending;

  function discard(): void {
    change(() => undefined);
    onClose();
  }

  function save(): void {
    if (next === description) return discard();
    setError(undefined);
    change(() => undefined);
    describe.mutate({ id, patch: { description: next } });
    // It may be sent much later.
    if (!onlineManager.isOnline()) onClose();
  }

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        // With unsaved changes, Escape closes neither the editor nor the drawer.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (typed === (base ?? '')) discard();
      }}
    >
      <Textarea
        name="description"
        label={words.description}
        isLabelHidden
        hint={words.descriptionHint}
        autoFocus
        rows={6}
        maxLength={20_000}
        value={typed}
        error={error}
        onChange={(event) => change(() => ({ typed: event.target.value, base }))}
        className="max-h-96"
      />
      {hasConflict ? (
        <p
          role="alert"
          className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning"
        >
          {words.changedByOther}
          <Button size="sm" onClick={discard}>
            {words.showTheirs}
          </Button>
        </p>
      ) : null}
      <div className="flex gap-2">
        <Button tone="primary" size="sm" type="submit" isBusy={describe.isPending}>
          {shared.save}
        </Button>
        <Button size="sm" onClick={discard}>
          {shared.cancel}
        </Button>
      </div>
    </form>
  );
}
