import type { ApiKey } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/api-keys.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Time } from '../ui/time.tsx';

const tones: Record<ApiKey['status'], BadgeTone> = {
  ACTIVE: 'success',
  EXPIRING: 'warning',
  EXPIRED: 'neutral',
  REVOKED: 'neutral',
};

type ShownKey = Pick<
  ApiKey,
  'name' | 'prefix' | 'lastFour' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'status'
> &
  Partial<Pick<ApiKey, 'lastUsedIp' | 'revokedAt' | 'toolMode'>>;

interface KeySummaryProps {
  readonly apiKey: ShownKey;
  /** What the key reaches, or whose it is; shown beside the number of its scopes. */
  readonly about?: ReactNode;
  /** The actions on the key. */
  readonly children?: ReactNode;
}

/** Shows one key of a list: what it may do, when it was used and when it ends. */
export function KeySummary({ apiKey, about, children }: KeySummaryProps): ReactNode {
  const { name, prefix, lastFour, status, scopes, toolMode } = apiKey;
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="wrap-anywhere">{name}</span>
          <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
        </p>
        <p className="mt-0.5 font-mono text-xs text-ink-muted">
          {prefix}…{lastFour}
        </p>
        <p className="mt-1 text-sm text-ink-muted">
          <LastUseOfKey apiKey={apiKey} /> · <Ending apiKey={apiKey} />
        </p>
        {toolMode ? (
          <p className="mt-1 text-sm text-ink-muted">{texts.toolModes[toolMode]}</p>
        ) : null}
        <details className="mt-1 text-sm text-ink-muted">
          <summary className="w-fit rounded-sm">
            {texts.scopes(scopes.length)}
            {about === undefined ? null : <> · {about}</>}
          </summary>
          <p className="mt-1 font-mono text-xs wrap-anywhere">{scopes.join(', ')}</p>
        </details>
      </div>
      {children}
    </li>
  );
}

/** Tells whether a key works. */
export function isUsable({ status }: Pick<ApiKey, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'EXPIRING';
}

interface KeyProps {
  readonly apiKey: ShownKey;
}

interface LastUseProps {
  readonly apiKey: Pick<ApiKey, 'lastUsedAt'> & Partial<Pick<ApiKey, 'lastUsedIp'>>;
}

/** Tells when a key was used last, and from where. */
export function LastUseOfKey({ apiKey: { lastUsedAt, lastUsedIp } }: LastUseProps): ReactNode {
  if (lastUsedAt === null) return texts.neverUsed;
  return (
    <>
      {texts.lastUsed} <Time at={lastUsedAt} />
      {lastUsedIp ? ` ${texts.lastUsedFrom(lastUsedIp)}` : null}
    </>
  );
}

function Ending({ apiKey: { status, expiresAt, revokedAt } }: KeyProps): ReactNode {
  const [verb, at] =
    status === 'REVOKED'
      ? [texts.revoked, revokedAt]
      : [status === 'EXPIRED' ? texts.expired : texts.expires, expiresAt];
  return at ? (
    <>
      {verb} <Time at={at} />
    </>
  ) : (
    texts.neverExpires
  );
}
