import { useState, type ReactNode } from 'react';
import { api } from '../api.ts';
import { useUser } from '../session/account.ts';
import { errorText, fieldErrors } from '../session/error-texts.ts';
import { useOrganizationChange } from '../session/queries.ts';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { commentTopics, showNewComment } from './comment-changes.ts';
import { MentionField } from './mention-field.tsx';

const { comment: words } = texts;

/** What was begun and not posted, by task: a closed drawer loses nothing. */
const drafts = new Map<string, string>();

/** Posts comments on a task; each is shown at once. */
export function CommentComposer({ taskId }: { readonly taskId: string }): ReactNode {
  const user = useUser();
  const [body, setBody] = useState(() => drafts.get(taskId) ?? '');
  const [error, setError] = useState<string>();
  const post = useOrganizationChange({
    change: (text: string, options) =>
      api.comments.create({ params: { taskId }, body: { body: text } }, options),
    touches: commentTopics(taskId),
    optimistic(cache, text) {
      if (!user) return;
      const { id, displayName, email, avatarUrl } = user;
      const author = { id, displayName, email, avatarUrl };
      showNewComment(cache, { taskId, author, body: text });
    },
    onFailed(failure, text) {
      // What was written is not lost, unless something else has been begun.
      setBody((now) => now || text);
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
