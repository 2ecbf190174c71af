import { useState, type ReactNode } from 'react';
import { useUser } from '../session/account.ts';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { useChange } from '../unsent/use-change.ts';
import { newComment, postComment } from './comment-changes.ts';
import { MentionField } from './mention-field.tsx';

const { comment: words } = texts;

/** Drafts by task, so that closing the drawer loses nothing. */
const drafts = new Map<string, string>();

/** Posts comments on a task, with optimistic updates. */
export function CommentComposer({ taskId }: { readonly taskId: string }): ReactNode {
  const user = useUser();
  const [body, setBody] = useState(() => drafts.get(taskId) ?? '');
  const [error, setError] = useState<string>();
  const post = useChange(postComment, {
    onFailed(failure, { comment }) {
      // Restores the text, unless the user has started another one.
      setBody((current) => current || comment.body);
      setError(fieldErrors(failure)['body'] ?? errorText(failure));
    },
  });

  function write(text: string): void {
    setBody(text);
    drafts.set(taskId, text);
  }

  function submit(): void {
    if (body.trim() === '' || !user) return;
    setError(undefined);
    const { id, displayName, email, avatarUrl } = user;
    post.mutate(newComment({ taskId, body, author: { id, displayName, email, avatarUrl } }));
    write('');
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
        onChange={write}
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
