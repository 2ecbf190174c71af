import type { Share, ShareStatus } from '@atelier/client';
import { Copy, Ellipsis, History, Link2Off, Pencil, RefreshCw } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { api } from '../session/api.ts';
import { useOrganizationMutation } from '../session/queries.ts';
import { texts } from '../texts/sharing.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/clipboard.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { notify } from '../ui/notices.tsx';
import { shortDate } from '../ui/time-format.ts';
import { shareTopics } from './topics.ts';

const EditDialog = lazyDialog(() => import('./edit-dialog.tsx'));
const ViewsDialog = lazyDialog(() => import('./views-dialog.tsx'));

const tones: Record<ShareStatus, BadgeTone> = {
  ACTIVE: 'success',
  EXPIRED: 'neutral',
  REVOKED: 'neutral',
  USED_UP: 'warning',
  TARGET_GONE: 'neutral',
};

type Open = 'edit' | 'views' | 'rotate' | 'end';

interface ShareRowProps {
  readonly share: Share;
  /** What it is called without a label. */
  readonly fallbackName: string;
  /** Shown below the name. */
  readonly about?: ReactNode;
}

/** Shows one share with its link, and all that can be done with it. */
export function ShareRow({ share, fallbackName, about }: ShareRowProps): ReactNode {
  const { id, url, status } = share;
  const name = share.label ?? fallbackName;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const rotate = useOrganizationMutation({
    change: (_: void, options) => api.shares.rotate({ params: { id } }, options),
    invalidates: shareTopics,
    onDone() {
      close();
      notify(texts.rotating.done);
    },
  });
  const end = useOrganizationMutation({
    change: (_: void, options) => api.shares.remove({ params: { id } }, options),
    invalidates: shareTopics,
    onDone() {
      close();
      notify(texts.ending.done);
    },
  });
  const isEnded = status === 'REVOKED' || status === 'TARGET_GONE';
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{name}</span>
            <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
          </p>
          {about ? <p className="text-sm wrap-anywhere text-ink-muted">{about}</p> : null}
          <p className="text-sm text-ink-muted">{conditionsOf(share).join(' · ')}</p>
        </div>
        <Menu trigger={<IconButton icon={Ellipsis} size="sm" label={texts.actions(name)} />}>
          <MenuItem icon={History} onSelect={() => setOpen('views')}>
            {texts.views}
          </MenuItem>
          {isEnded ? null : (
            <>
              <MenuItem icon={Pencil} onSelect={() => setOpen('edit')}>
                {texts.edit}
              </MenuItem>
              <MenuItem icon={RefreshCw} onSelect={() => setOpen('rotate')}>
                {texts.rotate}
              </MenuItem>
              <MenuItem icon={Link2Off} tone="danger" onSelect={() => setOpen('end')}>
                {texts.end}
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
      {status === 'ACTIVE' ? <ShareLink name={name} url={url} /> : null}
      <Suspense>
        {open === 'edit' ? <EditDialog share={share} onClose={close} /> : null}
        {open === 'views' ? <ViewsDialog share={share} name={name} onClose={close} /> : null}
      </Suspense>
      <ConfirmDialog
        isOpen={open === 'rotate'}
        onClose={close}
        title={texts.rotating.title(name)}
        action={texts.rotating.action}
        isBusy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
      >
        <p>{texts.rotating.text}</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'end'}
        onClose={close}
        title={texts.ending.title(name)}
        action={texts.ending.action}
        isBusy={end.isPending}
        onConfirm={() => end.mutate()}
      >
        <p>{texts.ending.text}</p>
      </ConfirmDialog>
    </li>
  );
}

function ShareLink({
  name,
  url,
}: {
  readonly name: string;
  readonly url: string | null;
}): ReactNode {
  if (url === null) return <p className="text-sm text-ink-muted">{texts.linkLost}</p>;
  return (
    <div className="flex gap-2">
      <input
        readOnly
        aria-label={texts.link(name)}
        value={url}
        onFocus={({ target }) => target.select()}
        className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-sunken px-3 font-mono text-sm"
      />
      <Button icon={Copy} aria-label={texts.copyLink(name)} onClick={() => void copyText(url)}>
        {texts.copy}
      </Button>
    </div>
  );
}

function conditionsOf(share: Share): readonly string[] {
  return [
    share.expiresAt === null ? texts.withoutEnd : texts.until(shortDate(share.expiresAt)),
    ...(share.hasPassword ? [texts.withPassword] : []),
    ...(share.allowDownload ? [texts.withDownload] : []),
    ...(share.versions === 'PINNED' ? [texts.withPinned] : []),
    ...(share.watermark === null ? [] : [`“${share.watermark}”`]),
    texts.openings(share.openingCount, share.maxOpenings),
  ];
}
