import { useState, type ReactNode } from 'react';
import { api } from '../session/api.ts';
import { useUser } from '../session/account.ts';
import { errorText, fieldErrors } from '../ui/error-texts.ts';
import { useOrganizationMutation } from '../session/queries.ts';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { commentTopics, addComment } from './comment-changes.ts';
import { MentionField } from './mention-field.tsx';

const { comment: words } = texts;

/** Drafts by task, so that closing the drawer loses nothing. */
const drafts = new Map<string, string>();

/** Posts comments on a task, with optimistic updates. */
export function CommentComposer({ taskId }: { readonly taskId: string }): ReactNode {
  const user = useUser();
  const [body, setBody] = useState(() => drafts.get(taskId) ?? '');
  const [error, setError] = useState<string>();
  const post = useOrganizationMutation({
    change: (text: string, options) =>
      api.comments.create({ params: { taskId }, body: { body: text } }, options),
    invalidates: commentTopics(taskId),
    optimistic(cache, text) {
      if (!user) return;
      const { id, displayName, email, avatarUrl } = user;
      const author = { id, displayName, email, avatarUrl };
      addComment(cache, { taskId, author, body: text });
    },
    onFailed(failure, text) {
      // Restores the text, unless the user has started another one.
      setBody((current) => current || text);
      setError(fieldErrors(failure)['body'] ?? errorText(failure));
    },
  });

  function write(text: string): void {
    setBody(text);
    drafts.set(taskId, text);
  }

  function submit(): void {
    if (body.trim() === '') return;
    setError(undefined);
    post.mutate(body);
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
