import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/asset-comments.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { usePlace } from './place.ts';

interface ThreadFrameProps {
  readonly assetId: string;
  readonly commentId: string;
  readonly replies: readonly ReactNode[];
  /** Renders the form of a reply; null if there can be none. */
  readonly replyForm: ((onDone: () => void) => ReactNode) | null;
  /** The comment. */
  readonly children: ReactNode;
}

/** Lays out a comment with its replies. It is shown when its mark is clicked. */
export function ThreadFrame(props: ThreadFrameProps): ReactNode {
  const { assetId, commentId, replies, replyForm, children } = props;
  const [isReplying, setReplying] = useState(false);
  const isSelected = usePlace(assetId).selectedId === commentId;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <li
      ref={item}
      className={classNames(
        'flex flex-col gap-3 rounded-md py-3',
        isSelected && '-mx-2 bg-accent-soft px-2',
      )}
    >
      {children}
      {replies.length > 0 ? <ol className="flex flex-col gap-3 pl-6">{replies}</ol> : null}
      {replyForm && isReplying ? (
        <div className="pl-6">{replyForm(() => setReplying(false))}</div>
      ) : null}
      {replyForm && !isReplying ? (
        <div className="pl-9">
          <Button size="sm" tone="quiet" onClick={() => setReplying(true)}>
            {texts.reply}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
