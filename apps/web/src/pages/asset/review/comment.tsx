import type { Asset, AssetComment } from '@atelier/client';
import { Check, RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { CommentFrame } from '../../../review/comment-frame.tsx';
import { CommentPlace } from '../../../review/comment-place.tsx';
import { useHasRole, useUser } from '../../../session/account.ts';
import { api } from '../../../session/api.ts';
import { orGone } from '../../../session/gone.ts';
import { useOrganizationMutation } from '../../../session/queries.ts';
import { CommentActions } from '../../../tasks/comment-actions.tsx';
import { MentionField } from '../../../tasks/mention-field.tsx';
import { RichText } from '../../../tasks/rich-text.tsx';
import { texts } from '../../../texts/asset-comments.ts';
import { texts as shared } from '../../../texts/shared.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';

interface CommentProps {
  readonly asset: Asset;
  readonly comment: AssetComment;
}

const invalidates = [['assetComments'], ['assets', 'get']] as const;

/** Shows a comment or a reply. Its author can edit it; its author and admins can delete it. */
export function Comment({ asset, comment }: CommentProps): ReactNode {
  const { body, createdAt, editedAt, versionNumber, parentId, isResolved } = comment;
  const [isEditing, setEditing] = useState(false);
  const name = nameOf(comment);
  const notes = [
    editedAt ? texts.edited : null,
    parentId === null && versionNumber !== asset.currentVersion
      ? texts.onVersion(versionNumber)
      : null,
  ].filter((note) => note !== null);
  return (
    <CommentFrame
      name={name}
      avatarUrl={comment.author?.avatarUrl ?? null}
      isGuest={comment.author === null}
      createdAt={createdAt}
      notes={notes}
      actions={
        <>
          {parentId === null ? <ResolveButton asset={asset} comment={comment} /> : null}
          <CommentMenu {...{ asset, comment, name }} onEdit={() => setEditing(true)} />
        </>
      }
    >
      <CommentPlace assetId={asset.id} anchor={comment.anchor} />
      {isEditing ? (
        <Editor {...{ asset, comment }} onEnd={() => setEditing(false)} />
      ) : (
        <div className={isResolved && parentId === null ? 'text-ink-muted' : undefined}>
          <RichText text={body} />
        </div>
      )}
    </CommentFrame>
  );
}

/** Returns the name of who wrote a comment. */
export function nameOf({ author, guestName }: AssetComment): string {
  return author?.displayName ?? guestName ?? texts.guest;
}

function ResolveButton({ asset: { id }, comment }: CommentProps): ReactNode {
  const { id: commentId, isResolved } = comment;
  const mayResolve = useHasRole('MEMBER');
  const resolve = useOrganizationMutation({
    change: (next: boolean, request) =>
      api.assetComments.resolve({ params: { id, commentId }, body: { isResolved: next } }, request),
    invalidates,
  });
  return mayResolve ? (
    <IconButton
      icon={isResolved ? RotateCcw : Check}
      size="sm"
      label={isResolved ? texts.reopen : texts.resolve}
      disabled={resolve.isPending}
      onClick={() => resolve.mutate(!isResolved)}
    />
  ) : null;
}

interface CommentMenuProps extends CommentProps {
  readonly name: string;
  readonly onEdit: () => void;
}

function CommentMenu({ asset: { id }, comment, name, onEdit }: CommentMenuProps): ReactNode {
  const { id: commentId, author } = comment;
  const isAdmin = useHasRole('ADMIN');
  const mayWrite = useHasRole('MEMBER');
  const isOwn = useUser()?.id === author?.id && mayWrite;
  const remove = useOrganizationMutation({
    change: (_: undefined, request) =>
      orGone(api.assetComments.remove({ params: { id, commentId } }, request), null),
    invalidates,
  });
  // Any member may delete what a guest wrote.
  if (!isOwn && !isAdmin && !(author === null && mayWrite)) return null;
  return (
    <CommentActions
      words={texts}
      label={texts.actions(name)}
      onEdit={isOwn ? onEdit : null}
      onDelete={() => remove.mutate(undefined)}
    />
  );
}

function Editor({
  asset: { id },
  comment,
  onEnd,
}: CommentProps & { readonly onEnd: () => void }): ReactNode {
  const [typed, setTyped] = useState(comment.body);
  const edit = useOrganizationMutation({
    change: (body: string, request) =>
      api.assetComments.update({ params: { id, commentId: comment.id }, body: { body } }, request),
    invalidates,
    onDone: onEnd,
  });
  const submit = () => {
    if (typed.trim() !== '') edit.mutate(typed);
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MentionField
        label={texts.editLabel}
        value={typed}
        autoFocus
        onChange={setTyped}
        onSubmit={submit}
        onEscape={onEnd}
      />
      <div className="flex gap-2">
        <Button tone="primary" size="sm" type="submit" isBusy={edit.isPending}>
          {shared.save}
        </Button>
        <Button size="sm" onClick={onEnd}>
          {shared.cancel}
        </Button>
      </div>
    </form>
  );
}
