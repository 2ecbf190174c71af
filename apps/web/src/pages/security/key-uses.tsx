import type { ApiKey } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { isUsable, LastUseOfKey } from '../../credentials/key-summary.tsx';
import { accountQueries } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

const { apiKeys: words } = texts;

const maxShown = 5;
const keysQuery = accountQueries.apiKeys.list.queryOptions({ query: { limit: 100 } });

/** Tells when the user's API keys were used last. */
export function KeyUsesSection(): ReactNode {
  const keys = useQuery(keysQuery);
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <Link to="/settings/api-keys" className={buttonClass()}>
          {words.manage}
        </Link>
      }
    >
      <Load query={keys} skeleton={<SkeletonRows count={1} />}>
        {({ items }) => <KeyUses keys={lastUsedFirst(items.filter(isUsable))} />}
      </Load>
    </Section>
  );
}

function KeyUses({ keys }: { readonly keys: readonly ApiKey[] }): ReactNode {
  if (keys.length === 0) return <p className="text-ink-muted">{words.none}</p>;
  return (
    <>
      <ul className="-my-1 divide-y divide-line">
        {keys.slice(0, maxShown).map((key) => (
          <li key={key.id} className="flex items-center gap-3 py-3">
            <KeyRound aria-hidden className="size-5 shrink-0 text-ink-muted" />
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">{key.name}</p>
              <p className="text-sm text-ink-muted">
                <LastUseOfKey apiKey={key} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {keys.length > maxShown ? (
        <p className="mt-2 text-sm text-ink-muted">{words.more(keys.length - maxShown)}</p>
      ) : null}
    </>
  );
}

function lastUsedFirst(keys: readonly ApiKey[]): readonly ApiKey[] {
  return keys.toSorted((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''));
}
