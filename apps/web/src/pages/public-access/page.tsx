import type { Share } from '@atelier/client';
import { Globe, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { ItemList } from '../../library/item-list.tsx';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { ShareRow } from '../../sharing/share-row.tsx';
import { texts } from '../../texts/public-access.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Policy } from './policy.tsx';
import { PublicLinks } from './public-links.tsx';

/** Lists everything that the selected organization shows to outsiders, and sets its rules for share links. */
export default function PublicAccessPage(): ReactNode {
  const organization = useOrganization();
  const isContributor = useHasRole('MEMBER');
  const isManager = useHasRole('ADMIN');
  return (
    <Page
      title={texts.title}
      description={organization ? texts.description(organization.name) : null}
      width="narrow"
    >
      {organization ? (
        isContributor ? (
          // The key resets the form when the organization changes.
          <div key={organization.id} className="flex flex-col gap-5">
            <Shares />
            <PublicLinks />
            {isManager ? <Policy organizationId={organization.id} /> : null}
          </div>
        ) : (
          <EmptyState icon={Lock} title={texts.forbidden} />
        )
      ) : (
        <SkeletonRows />
      )}
    </Page>
  );
}

function Shares(): ReactNode {
  const queries = useOrganizationQueries();
  const shares = useItemPages(queries.shares.list.infiniteQueryOptions({ query: { limit: 50 } }));
  return (
    <ItemList
      pages={shares}
      label={texts.shares.label}
      empty={
        <EmptyState icon={Globe} title={texts.shares.none}>
          {texts.shares.noneHint}
        </EmptyState>
      }
      frame={(list) => (
        <Section title={texts.shares.title} hint={texts.shares.hint}>
          {list}
        </Section>
      )}
    >
      {(share) => (
        <ShareRow
          share={share}
          fallbackName={share.target.title ?? texts.shares.deleted}
          about={aboutOf(share)}
        />
      )}
    </ItemList>
  );
}

function aboutOf({ target }: Share): string {
  return texts.shares.of[target.type](target.title ?? texts.shares.deleted);
}
