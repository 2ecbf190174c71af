import type { Organization } from '@atelier/client';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { TeamPage } from '../../credentials/team-page.tsx';
import { ItemList } from '../../library/item-list.tsx';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/member-keys.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { MemberKeyRow } from './member-key-row.tsx';
import { Policy } from './policy.tsx';

/** Lists the personal API keys that reach the selected team, and sets its rules for keys. */
export default function MemberKeysPage(): ReactNode {
  return (
    <TeamPage icon={KeyRound} texts={texts}>
      {(team) => (
        <Page title={texts.title} description={texts.description(team.name)} width="narrow">
          {/* The key resets the form when the organization changes. */}
          <div key={team.id} className="flex flex-col gap-5">
            <Policy organizationId={team.id} />
            <MemberKeys team={team} />
          </div>
        </Page>
      )}
    </TeamPage>
  );
}

function MemberKeys({ team }: { readonly team: Organization }): ReactNode {
  const queries = useOrganizationQueries();
  const keys = useItemPages(
    queries.apiKeys.listOfOrganization.infiniteQueryOptions({
      params: { id: team.id },
      query: { limit: 50 },
    }),
  );
  return (
    <ItemList
      pages={keys}
      label={texts.listLabel}
      empty={
        <EmptyState icon={KeyRound} title={texts.none}>
          {texts.noneHint}
        </EmptyState>
      }
      frame={(list) => <Section title={texts.list}>{list}</Section>}
    >
      {(key) => <MemberKeyRow organizationId={team.id} apiKey={key} />}
    </ItemList>
  );
}
