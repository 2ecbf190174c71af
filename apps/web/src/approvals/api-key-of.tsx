import type { Approval } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/approvals.ts';

/** Names the API key that a call is made with, and its account. */
export function ApiKeyOf({ approval }: { readonly approval: Approval }): ReactNode {
  const { apiKey, requestedBy } = approval;
  return (
    <>
      <bdi>{apiKey.name}</bdi> {texts.keyOf[apiKey.kind]} <bdi>{requestedBy.displayName}</bdi>
    </>
  );
}
