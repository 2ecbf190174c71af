import type { Asset, AssetComment } from '@atelier/client';
import { Check, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { CommentFrame } from '../../../review/comment-frame.tsx';
import { CommentPlace } from '../../../review/comment-place.tsx';
import { useHasRole, useUser } from '../../../session/account.ts';
import { api } from '../../../session/api.ts';
import { orGone } from '../../../session/gone.ts';
import { useOrganizationMutation } from '../../../session/queries.ts';
import { CommentActions } from '../../../tasks/comment-actions.tsx';
import { useCommentEdit, type CommentEdit } from '../../../tasks/comment-edit.ts';
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
  const edit = useCommentEdit(comment);
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
          <CommentMenu {...{ asset, comment, name }} onEdit={edit.open} />
        </>
      }
    >
      <CommentPlace assetId={asset.id} anchor={comment.anchor} />
      {edit.isOpen ? (
        <Editor {...{ asset, comment, edit }} />
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
  edit,
}: CommentProps & { readonly edit: CommentEdit }): ReactNode {
  const save = useOrganizationMutation({
    change: (body: string, request) =>
      api.assetComments.update({ params: { id, commentId: comment.id }, body: { body } }, request),
    invalidates,
    onDone: (_, body) => edit.closeSaved(body),
  });
  const submit = () => {
    if (edit.text.trim() !== '') save.mutate(edit.text);
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
        value={edit.text}
        autoFocus
        onChange={edit.change}
        onSubmit={submit}
        onEscape={() => {
          if (!edit.isChanged) edit.close();
        }}
      />
      <div className="flex gap-2">
        <Button tone="primary" size="sm" type="submit" isBusy={save.isPending}>
          {shared.save}
        </Button>
        <Button size="sm" onClick={edit.close}>
          {shared.cancel}
        </Button>
      </div>
    </form>
  );
}
