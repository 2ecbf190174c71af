import { useState } from 'react';
import { useDraft } from '../forms/drafts.ts';

/** A comment that may be being edited. */
export interface CommentEdit {
  readonly isOpen: boolean;
  /** What has been typed, at first the comment as it is. */
  readonly text: string;
  readonly isChanged: boolean;
  readonly open: () => void;
  readonly change: (text: string) => void;
  /** Discards what has been typed. */
  readonly close: () => void;
  /** Closes the editor, unless more was typed since this text was sent. */
  readonly closeSaved: (text: string) => void;
  /** Opens the editor with a text that was refused, unless it is open with another one. */
  readonly restore: (text: string) => void;
}

/** Edits a comment. What was typed stays when the comment is no longer shown. */
export function useCommentEdit({ id, body }: { id: string; body: string }): CommentEdit {
  const [typed, write] = useDraft<string>(`edit of comment ${id}`);
  const [isOpened, setOpened] = useState(false);
  const end = (update: (current?: string) => string | undefined) => {
    write(update);
    setOpened(false);
  };
  return {
    isOpen: isOpened || typed !== undefined,
    text: typed ?? body,
    isChanged: typed !== undefined && typed !== body,
    open: () => setOpened(true),
    change: (text) => write(() => text),
    close: () => end(() => undefined),
    closeSaved: (text) => end((current) => (current === text ? undefined : current)),
    restore: (text) => write((current) => current ?? text),
  };
}
