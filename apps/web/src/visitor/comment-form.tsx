import type { SharedComment } from '@atelier/client';
import { useState, useSyncExternalStore, type KeyboardEvent, type ReactNode } from 'react';
import { newCommentDraft, restoredDraft, type CommentDraft } from '../review/comment-draft.ts';
import { PlaceTools } from '../review/place-tools.tsx';
import { restorePlace, setPlace, unplaced, usePlace } from '../review/place.ts';
import { texts } from '../texts/asset-comments.ts';
import { texts as share } from '../texts/share.ts';
import { Button } from '../ui/button.tsx';
import { fieldErrors } from '../ui/error-texts.ts';
import { Input, Textarea } from '../ui/field.tsx';
import { createStore } from '../ui/store.ts';
import { shareErrorText } from './errors.ts';
import { shownKindOf, type CommentedAsset } from './use-shared-comments.ts';
import { rememberVisitorName, visitorName } from './visitor-name.ts';

const words = share.comments;

/** What was typed and not posted: it is still there when the file is opened again. */
const drafts = createStore<ReadonlyMap<string, CommentDraft>>(new Map());

function write(key: string, draft: CommentDraft): void {
  drafts.set(new Map(drafts.get()).set(key, draft));
}

interface CommentFormProps extends CommentedAsset {
  /** The comment to reply to. */
  readonly parent?: Pick<SharedComment, 'id' | 'author'> | undefined;
  readonly onPosted: () => void;
  /** Called after a comment was posted, if nothing is left to write. */
  readonly onDone?: (() => void) | undefined;
  /** Called when the comment is refused. */
  readonly onRefused: (error: unknown) => void;
}

/** Posts a comment of a visitor, or a reply. Asks for their name once. */
export function CommentForm(props: CommentFormProps): ReactNode {
  const { visit, asset, parent, onPosted, onDone, onRefused } = props;
  const key = parent?.id ?? asset.id;
  const draft = useSyncExternalStore(drafts.subscribe, drafts.get).get(key);
  const body = draft?.body ?? '';
  const known = useSyncExternalStore(visitorName.subscribe, visitorName.get);
  const [typedName, setTypedName] = useState<string | null>(known === '' ? '' : null);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const { anchor, versionNumber } = usePlace(asset.id);
  const name = (typedName ?? known).trim();

  async function post(): Promise<void> {
    if (!draft || body.trim() === '' || isBusy) return;
    if (name === '') return setProblems({ name: words.nameMissing });
    setProblems({});
    setBusy(true);
    // At once: what is typed and drawn from now on is of the next comment.
    write(key, newCommentDraft());
    if (!parent) setPlace(asset.id, unplaced);
    try {
      const comment = {
        body,
        visitorName: name,
        ...(parent ? { parentId: parent.id } : anchor && { anchor }),
      };
      const idempotencyKey = draft.idempotencyKeyOf(comment);
      await visit.comment(asset.id, comment, { idempotencyKey });
      rememberVisitorName(name);
      setTypedName((typed) => (typed?.trim() === name ? null : typed));
      onPosted();
      if (drafts.get().get(key)?.body.trim() === '') onDone?.();
    } catch (error) {
      write(key, restoredDraft(draft, drafts.get().get(key)));
      if (!parent) restorePlace(asset.id, { anchor, versionNumber });
      setProblems(problemsOf(error));
      onRefused(error);
    } finally {
      setBusy(false);
    }
  }

  function onKeyDown({ key: pressed, ctrlKey, metaKey }: KeyboardEvent): void {
    if (pressed === 'Enter' && (ctrlKey || metaKey)) void post();
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void post();
      }}
    >
      {typedName === null ? (
        <p className="flex flex-wrap items-center gap-x-1 text-sm text-ink-muted">
          {words.as(known)}
          <Button tone="quiet" size="sm" onClick={() => setTypedName(known)}>
            {words.changeName}
          </Button>
        </p>
      ) : (
        <Input
          name="visitorName"
          label={words.name}
          hint={words.nameHint}
          error={problems.name}
          value={typedName}
          maxLength={60}
          autoComplete="name"
          onChange={({ target }) => setTypedName(target.value)}
        />
      )}
      <Textarea
        name="body"
        label={parent ? texts.replyTo(parent.author) : texts.comment}
        isLabelHidden
        placeholder={words.placeholder}
        error={problems.body}
        value={body}
        maxLength={10_000}
        autoFocus={parent !== undefined}
        onChange={({ target }) =>
          write(key, { ...(draft ?? newCommentDraft()), body: target.value })
        }
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-1">
        <Button
          tone="primary"
          size={parent ? 'sm' : undefined}
          type="submit"
          isBusy={isBusy}
          disabled={body.trim() === ''}
        >
          {parent ? texts.reply : texts.post}
        </Button>
        {parent ? null : <PlaceTools assetId={asset.id} kind={shownKindOf(props)} />}
      </div>
    </form>
  );
}

interface Problems {
  readonly name?: string | undefined;
  readonly body?: string | undefined;
}

function problemsOf(error: unknown): Problems {
  const { visitorName: name, body } = fieldErrors(error);
  return name === undefined ? { body: body ?? shareErrorText(error) } : { name, body };
}
