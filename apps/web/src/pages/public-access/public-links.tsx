import type { PublicLink } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ItemList } from '../../library/item-list.tsx';
import { api } from '../../session/api.ts';
import {
  useItemPages,
  useOrganizationMutation,
  useOrganizationQueries,
} from '../../session/queries.ts';
import { texts } from '../../texts/public-access.ts';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';

const words = texts.links;

/** Lists the public links of assets, each with a button that ends it. */
export function PublicLinks(): ReactNode {
  const queries = useOrganizationQueries();
  const links = useItemPages(
    queries.shares.publicLinks.infiniteQueryOptions({ query: { limit: 50 } }),
  );
  return (
    <Section title={words.title} hint={words.hint}>
      <ItemList
        pages={links}
        label={words.label}
        empty={<p className="text-ink-muted">{words.none}</p>}
        frame={(list) => <div className="py-3">{list}</div>}
      >
        {(link) => <PublicLinkRow link={link} />}
      </ItemList>
    </Section>
  );
}

function PublicLinkRow({ link }: { readonly link: PublicLink }): ReactNode {
  const { id, assetName, url } = link;
  const end = useOrganizationMutation({
    change: (_: void, options) =>
      api.assets.update({ params: { id }, body: { publicLinkEnabled: false } }, options),
    invalidates: [['shares'], ['assets'], ['timeline']],
    onDone: () => notify(words.ended(assetName)),
  });
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="min-w-0 flex-1">
        <Link
          to="/assets/$id"
          params={{ id }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {assetName}
        </Link>
        <p className="truncate font-mono text-xs text-ink-muted">{url}</p>
      </div>
      <Button
        size="sm"
        aria-label={words.endLabel(assetName)}
        isBusy={end.isPending}
        onClick={() => end.mutate()}
      >
        {words.end}
      </Button>
    </li>
  );
}
