import type { Asset } from '@atelier/client';
import { Copy, Globe, Lock } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useUpdateAsset } from '../../library/asset-changes.ts';
import { useMayChange } from '../../library/permissions.ts';
import { Toggle } from '../../library/toggle.tsx';
import { useOrganization } from '../../session/account.ts';
import { texts as words } from '../../texts/asset-link.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';

/** Shows the public link of an asset and turns it on or off. */
export default function PublicLink({ asset }: { readonly asset: Asset }): ReactNode {
  const { id, assetShortUrl, publicLinkEnabled: isOn } = asset;
  const inputId = useId();
  const mayChange = useMayChange()(asset);
  const update = useUpdateAsset();
  const isForbidden = useOrganization()?.publicLinks === 'FORBIDDEN';
  const isPublic = isOn && !isForbidden;
  const hint = isForbidden ? words.forbidden : isOn ? words.on : words.off;
  return (
    <section className="flex flex-col items-stretch gap-3 rounded-lg border border-line bg-surface p-4">
      <div>
        <Badge tone={isPublic ? 'warning' : 'neutral'}>
          {isPublic ? (
            <Globe aria-hidden className="size-3" />
          ) : (
            <Lock aria-hidden className="size-3" />
          )}
          {isPublic ? words.badge.public : words.badge.private}
        </Badge>
      </div>
      {mayChange && (isOn || !isForbidden) ? (
        <Toggle
          label={words.title}
          hint={hint}
          isOn={isOn}
          onChange={(next) => update.mutate({ id, publicLinkEnabled: next })}
        />
      ) : (
        <div>
          <p className="font-medium">{words.title}</p>
          <p className="mt-0.5 text-sm text-ink-muted">{hint}</p>
        </div>
      )}
      {isPublic && mayChange ? <p className="text-sm text-ink-muted">{words.offAgain}</p> : null}
      {isPublic ? (
        <div className="flex gap-2">
          <label htmlFor={inputId} className="sr-only">
            {words.address}
          </label>
          <input
            id={inputId}
            readOnly
            value={assetShortUrl}
            onFocus={({ target }) => target.select()}
            className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-sunken px-3 font-mono text-sm"
          />
          <Button
            icon={Copy}
            aria-label={words.copyLabel}
            onClick={() => void copyText(assetShortUrl)}
          >
            {words.copy}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
