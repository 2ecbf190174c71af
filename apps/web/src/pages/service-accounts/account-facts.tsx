import type { ServiceAccount } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/service-accounts.ts';
import { Time } from '../../ui/time.tsx';

/** Says when a service account was used, and who created it. */
export function AccountFacts({ account }: { readonly account: ServiceAccount }): ReactNode {
  const { lastUsedAt, createdBy } = account;
  return (
    <>
      {lastUsedAt === null ? (
        texts.neverUsed
      ) : (
        <>
          {texts.lastUsed} <Time at={lastUsedAt} />
        </>
      )}
      {createdBy === null ? null : ` · ${texts.createdBy(createdBy.displayName)}`}
    </>
  );
}
