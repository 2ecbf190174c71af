import type { PublicAsset } from '@atelier/client';
import type { ShareVisit } from '@atelier/client/shares';
import { ChevronLeft, ChevronRight, Download, MessageSquare, X } from 'lucide-react';
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useState,
  type ReactNode,
} from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import { texts } from '../texts/share.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LayerProvider } from '../ui/layer.tsx';
import { showModal } from '../ui/modal-dialogs.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { isForPage } from '../ui/page-keys.ts';
import { Turn } from '../ui/turn.tsx';
import { SharedStage } from './stage.tsx';

const SharedComments = lazyPart(() => import('./comments.tsx'));

interface SharedViewerProps {
  readonly number: number;
  readonly visit: ShareVisit;
  readonly items: readonly PublicAsset[];
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  /** Loads more of them; undefined while there is nothing to load. */
  readonly onMore: (() => void) | undefined;
  readonly onClose: () => void;
  readonly onDownload: (asset: PublicAsset) => void;
  /** Called when the file, or the share, is no longer there. */
  readonly onRefused: () => void;
}

/** Loads more when fewer follow. */
const minAhead = 10;

/** Fills the window with a file of a share; the arrow keys go to the others. */
export default function SharedViewer(props: SharedViewerProps): ReactNode {
  const { visit, items, openId, onOpen, onMore, onClose, onDownload } = props;
  const id = useId();
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  useLayoutEffect(() => {
    if (!element) return undefined;
    const close = showModal(element);
    element.focus();
    return close;
  }, [element]);
  const [isTalking, setTalking] = useState(
    () => visit.share.allowComments && matchMedia('(min-width: 48rem)').matches,
  );
  const index = items.findIndex((item) => item.id === openId);
  const asset = items[index];
  const isShort = index !== -1 && items.length - index <= minAhead;
  const isWanted = isShort && onMore !== undefined;
  const loadMore = useEffectEvent(() => onMore?.());
  useEffect(() => {
    if (isWanted) loadMore();
  }, [isWanted]);
  const [previous, next] = [items[index - 1], items[index + 1]];
  const onKeyDown = (key: string) => {
    const target = { ArrowLeft: previous, ArrowRight: next, Home: items[0], End: items.at(-1) }[
      key
    ];
    if (target) onOpen(target.id);
  };
  return (
    <dialog
      ref={setElement}
      aria-labelledby={`${id}-title`}
      // Dark in both themes: nothing beside the picture shines.
      data-theme="dark"
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={({ nativeEvent }) => {
        if (isForPage(nativeEvent, element) && !nativeEvent.shiftKey) onKeyDown(nativeEvent.key);
      }}
      className="m-0 size-full max-h-none max-w-none bg-canvas p-0 text-ink outline-none"
    >
      <LayerProvider value={element}>
        <div className="flex h-full flex-col">
          <header className="flex items-center gap-2 py-2 pr-2 pl-4">
            <h2 id={`${id}-title`} className="min-w-0 flex-1 truncate text-base" aria-live="polite">
              {asset?.name ?? texts.gone}
            </h2>
            {asset && visit.share.allowComments ? (
              <Button
                size="sm"
                icon={MessageSquare}
                aria-pressed={isTalking}
                className="aria-pressed:border-accent aria-pressed:text-accent"
                onClick={() => setTalking(!isTalking)}
              >
                {texts.comments.title}
              </Button>
            ) : null}
            {asset && visit.share.allowDownload ? (
              <Button size="sm" icon={Download} onClick={() => onDownload(asset)}>
                {texts.download}
              </Button>
            ) : null}
            <IconButton icon={X} label={texts.close} onClick={onClose} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            <div className="relative min-h-0 min-w-0 flex-1">
              {asset ? <SharedStage key={asset.id} {...props} asset={asset} /> : null}
              {items.length > 1 ? (
                <>
                  <Turn
                    icon={ChevronLeft}
                    label={texts.previous}
                    to={previous?.id}
                    onOpen={onOpen}
                    isLeft
                  />
                  <Turn icon={ChevronRight} label={texts.next} to={next?.id} onOpen={onOpen} />
                </>
              ) : null}
            </div>
            {asset && isTalking ? (
              <aside
                aria-label={texts.comments.title}
                className="h-[45%] shrink-0 overflow-y-auto border-line bg-surface p-4 max-md:border-t md:h-full md:w-88 md:border-l"
              >
                <Suspense fallback={<SkeletonRows count={2} />}>
                  <SharedComments key={asset.id} {...props} asset={asset} />
                </Suspense>
              </aside>
            ) : null}
          </div>
        </div>
      </LayerProvider>
    </dialog>
  );
}
