import type { ReactNode } from 'react';
import { texts } from '../texts/asset-comments.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Time } from '../ui/time.tsx';

interface CommentFrameProps {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** Marks the name: nothing vouches for it. */
  readonly isGuest: boolean;
  readonly createdAt: string;
  /** Said beside the time. */
  readonly notes: readonly string[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Lays out a comment or a reply. */
export function CommentFrame(props: CommentFrameProps): ReactNode {
  const { name, avatarUrl, isGuest, createdAt, notes, actions, children } = props;
  return (
    <div className="flex gap-3">
      <Avatar name={name} url={avatarUrl} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-7 flex-wrap items-center gap-x-2">
          <span className="font-semibold wrap-anywhere">{name}</span>
          {isGuest ? (
            <span className="rounded-full border border-line px-2 text-xs text-ink-muted">
              {texts.guest}
            </span>
          ) : null}
          <span className="text-sm text-ink-muted">
            <Time at={createdAt} />
            {notes.map((note) => ` · ${note}`)}
          </span>
          <span className="ml-auto flex">{actions}</span>
        </div>
        {children}
      </div>
    </div>
  );
}
