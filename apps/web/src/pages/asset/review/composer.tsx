import type { Asset } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { useDraft } from '../../../forms/drafts.ts';
import { kindOf } from '../../../library/asset-kind.ts';
import {
  newCommentDraft,
  restoredDraft,
  type CommentDraft,
} from '../../../review/comment-draft.ts';
import { restorePlace, setPlace, unplaced, usePlace, type Placed } from '../../../review/place.ts';
import { PlaceTools } from '../../../review/place-tools.tsx';
import { api } from '../../../session/api.ts';
import { useOrganizationMutation } from '../../../session/queries.ts';
import { MentionField } from '../../../tasks/mention-field.tsx';
import { texts } from '../../../texts/asset-comments.ts';
import { Button } from '../../../ui/button.tsx';
import { errorText, fieldErrors } from '../../../ui/error-texts.ts';

interface ComposerProps {
  readonly asset: Asset;
  /** The comment to reply to, and the name of its author. */
  readonly parent?: { readonly id: string; readonly name: string } | undefined;
  readonly onPosted?: (() => void) | undefined;
  /** Called when nothing is left to write. */
  readonly onDone?: (() => void) | undefined;
}

interface SentComment extends Placed {
  readonly draft: CommentDraft;
}

/** Posts a comment on the current version, or a reply. */
export function Composer({ asset, parent, onPosted, onDone }: ComposerProps): ReactNode {
  const { id, currentVersion } = asset;
  const [draft, write] = useDraft<CommentDraft>(
    parent ? `reply to ${parent.id}` : `comment on asset ${id}`,
  );
  const text = draft?.body ?? '';
  const [error, setError] = useState<string>();
  const { anchor, versionNumber = currentVersion } = usePlace(id);
  const post = useOrganizationMutation({
    async change({ draft: sent, ...placed }: SentComment, request) {
      const body = parent
        ? { body: sent.body, parentId: parent.id }
        : {
            body: sent.body,
            versionNumber: placed.versionNumber,
            ...(placed.anchor && { anchor: placed.anchor }),
          };
      const idempotencyKey = sent.idempotencyKeyOf(body);
      try {
        return await api.assetComments.create(
          { params: { id }, body },
          { ...request, idempotencyKey },
        );
      } catch (failure) {
        // Not in `onFailed`: also when the session has ended.
        write((meanwhile) => restoredDraft(sent, meanwhile));
        if (!parent) restorePlace(id, placed);
        throw failure;
      }
    },
    invalidates: [['assetComments'], ['assets', 'get']],
    onDone() {
      onPosted?.();
      if (text.trim() === '') onDone?.();
    },
    onFailed: (failure) => setError(fieldErrors(failure)['body'] ?? errorText(failure)),
  });

  function submit(): void {
    if (!draft || text.trim() === '' || post.isPending) return;
    setError(undefined);
    // At once: what is typed and drawn from now on is of the next comment.
    write(() => undefined);
    if (!parent) setPlace(id, unplaced);
    post.mutate({ draft, anchor, versionNumber });
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
        label={parent ? texts.replyTo(parent.name) : texts.comment}
        placeholder={texts.placeholder}
        hint={parent ? undefined : texts.hint}
        value={text}
        error={error}
        autoFocus={parent !== undefined}
        onChange={(entered) =>
          write((current = newCommentDraft()) => ({ ...current, body: entered }))
        }
        onSubmit={submit}
        onEscape={onDone}
      />
      <div className="flex flex-wrap items-center gap-1">
        <Button
          tone="primary"
          size={parent ? 'sm' : undefined}
          type="submit"
          isBusy={post.isPending}
          disabled={text.trim() === ''}
        >
          {parent ? texts.reply : texts.post}
        </Button>
        {parent ? null : <PlaceTools assetId={id} version={currentVersion} kind={kindOf(asset)} />}
      </div>
    </form>
  );
}
