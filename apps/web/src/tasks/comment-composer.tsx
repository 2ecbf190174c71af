import { useState, type ReactNode } from 'react';
import { useDraft } from '../forms/drafts.ts';
import { useUser } from '../session/account.ts';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { useChange } from '../unsent/use-change.ts';
import { newComment, postComment } from './comment-changes.ts';
import { MentionField } from './mention-field.tsx';

const { comment: words } = texts;

/** Posts comments on a task, with optimistic updates. */
export function CommentComposer({ taskId }: { readonly taskId: string }): ReactNode {
  const user = useUser();
  const [body = '', write] = useDraft<string>(`comment on task ${taskId}`);
  const [error, setError] = useState<string>();
  const post = useChange(postComment, {
    onUndone: ({ comment }) =>
      // What was typed meanwhile follows it.
      write((current = '') =>
        current.trim() === '' ? comment.body : `${comment.body}\n\n${current}`,
      ),
    onFailed: (failure) => setError(fieldErrors(failure)['body'] ?? errorText(failure)),
  });

  function submit(): void {
    if (body.trim() === '' || !user) return;
    setError(undefined);
    const { id, displayName, email, avatarUrl } = user;
    const comment = newComment({ taskId, body, author: { id, displayName, email, avatarUrl } });
    write(() => undefined);
    post.mutate(comment);
  }

  return (
    <form
      className="flex flex-col items-start gap-2 *:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MentionField
        label={words.label}
        placeholder={words.placeholder}
        hint={words.hint}
        value={body}
        error={error}
        onChange={(text) => write(() => text)}
        onSubmit={submit}
      />
      <div>
        <Button tone="primary" type="submit" disabled={body.trim() === ''}>
          {words.post}
        </Button>
      </div>
    </form>
  );
}
