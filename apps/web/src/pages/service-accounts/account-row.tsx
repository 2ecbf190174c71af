import type { ServiceAccount } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts as members } from '../../texts/members.ts';
import { texts } from '../../texts/service-accounts.ts';
import { Badge } from '../../ui/badge.tsx';
import { AccountFacts } from './account-facts.tsx';

/** Shows one service account of the list. */
export function AccountRow({ account }: { readonly account: ServiceAccount }): ReactNode {
  const { id, name, role, keyCount } = account;
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/settings/service-accounts/$id"
          params={{ id }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        <Badge>{members.roles[role]}</Badge>
      </p>
      <p className="mt-0.5 text-sm text-ink-muted first-letter:uppercase">
        {texts.keys(keyCount)} · <AccountFacts account={account} />
      </p>
    </li>
  );
}
