import type { Comment } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { useHasRole, useUser } from '../session/account.ts';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Time } from '../ui/time.tsx';
import { UnsentMark } from '../unsent/unsent-mark.tsx';
import { useChange } from '../unsent/use-change.ts';
import { useIsUnsent } from '../unsent/waiting.ts';
import { CommentActions } from './comment-actions.tsx';
import { useCommentEdit, type CommentEdit } from './comment-edit.ts';
import { editComment, isPending, removeComment } from './comment-changes.ts';
import { MentionField } from './mention-field.tsx';
import { RichText } from './rich-text.tsx';

const { comment: words } = texts;

/** Shows a comment. Its author can edit it; its author and admins can delete it. */
export function CommentItem({ comment }: { readonly comment: Comment }): ReactNode {
  const { author, body, createdAt, editedAt } = comment;
  const edit = useCommentEdit(comment);
  const [error, setError] = useState<string>();
  const isPosting = isPending(comment);
  const isOwn = useIsOwn(comment);
  const { mutate } = useChange(editComment, {
    onUndone: ({ body: refused }) => edit.restore(refused),
    onFailed: (failure) => setError(fieldErrors(failure)['body'] ?? errorText(failure)),
  });

  function end(): void {
    edit.close();
    setError(undefined);
  }

  function save(next: string): void {
    if (next !== body) {
      mutate({ comment: { id: comment.id, taskId: comment.taskId, body }, body: next });
    }
  }

  return (
    <li className={classNames('flex gap-3', isPosting && 'opacity-70')}>
      <Avatar name={author.displayName} url={author.avatarUrl} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-7 flex-wrap items-center gap-x-2">
          <span className="font-semibold wrap-anywhere">{author.displayName}</span>
          <span className="text-sm text-ink-muted">
            {isPosting ? <Posting id={comment.id} /> : <Time at={createdAt} />}
            {editedAt ? ` · ${words.edited}` : null}
          </span>
          {isPosting ? null : <UnsentMark id={comment.id} />}
          {isPosting || edit.isOpen ? null : <CommentMenu comment={comment} onEdit={edit.open} />}
        </div>
        {edit.isOpen ? (
          <CommentEditor edit={edit} error={error} onSave={save} onEnd={end} />
        ) : (
          <RichText text={body} onChange={isOwn && !isPosting ? save : undefined} />
        )}
      </div>
    </li>
  );
}

function Posting({ id }: Pick<Comment, 'id'>): ReactNode {
  return useIsUnsent(id) ? <UnsentMark id={id} /> : words.posting;
}

/** Tells whether the user wrote a comment, and may change it. */
function useIsOwn({ author }: Comment): boolean {
  const mayWrite = useHasRole('MEMBER');
  return useUser()?.id === author.id && mayWrite;
}

interface CommentMenuProps {
  readonly comment: Comment;
  readonly onEdit: () => void;
}

function CommentMenu({ comment, onEdit }: CommentMenuProps): ReactNode {
  const { id, taskId, author, body } = comment;
  const isAdmin = useHasRole('ADMIN');
  const isOwn = useIsOwn(comment);
  const remove = useChange(removeComment);
  if (!isOwn && !isAdmin) return null;
  return (
    <span className="ml-auto">
      <CommentActions
        words={words}
        label={words.actions(author.displayName)}
        onEdit={isOwn ? onEdit : null}
        onDelete={() => remove.mutate({ comment: { id, taskId, body } })}
      />
    </span>
  );
}

interface CommentEditorProps {
  readonly edit: CommentEdit;
  /** Why it couldn't be saved. */
  readonly error: string | undefined;
  readonly onSave: (text: string) => void;
  readonly onEnd: () => void;
}

function CommentEditor({ edit, error, onSave, onEnd }: CommentEditorProps): ReactNode {
  const { text } = edit;

  function submit(): void {
    if (text.trim() === '') return;
    onEnd();
    onSave(text);
  }

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MentionField
        label={words.editLabel}
        value={text}
        error={error}
        autoFocus
        onChange={edit.change}
        onSubmit={submit}
        onEscape={() => {
          if (!edit.isChanged) onEnd();
        }}
      />
      <div className="flex gap-2">
        <Button tone="primary" size="sm" type="submit" disabled={text.trim() === ''}>
          {shared.save}
        </Button>
        <Button size="sm" onClick={onEnd}>
          {shared.cancel}
        </Button>
      </div>
    </form>
  );
}
