import type { Organization } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { TeamPage } from '../../credentials/team-page.tsx';
import { ItemList } from '../../library/item-list.tsx';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/service-accounts.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AccountRow } from './account-row.tsx';
import { accountsOf } from './accounts.ts';

const CreateDialog = lazyDialog(() => import('./create-dialog.tsx'));

/** Lists the service accounts of the selected team and creates some. */
export default function ServiceAccountsPage(): ReactNode {
  return (
    <TeamPage icon={Bot} texts={texts}>
      {(team) => <ServiceAccounts key={team.id} team={team} />}
    </TeamPage>
  );
}

function ServiceAccounts({ team }: { readonly team: Organization }): ReactNode {
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  const create = (
    <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      description={texts.description(team.name)}
      width="narrow"
      actions={create}
    >
      <AccountList team={team} create={create} />
      {isCreating ? (
        <Suspense>
          <CreateDialog
            organizationId={team.id}
            onClose={() => setCreating(false)}
            // Its page is where the first key is created.
            onCreated={({ id }) =>
              void navigate({ to: '/settings/service-accounts/$id', params: { id } })
            }
          />
        </Suspense>
      ) : null}
    </Page>
  );
}

interface AccountListProps {
  readonly team: Organization;
  readonly create: ReactNode;
}

function AccountList({ team, create }: AccountListProps): ReactNode {
  const accounts = useItemPages(accountsOf(useOrganizationQueries(), team.id));
  return (
    <ItemList
      pages={accounts}
      label={texts.listLabel}
      empty={
        <EmptyState icon={Bot} title={texts.none} action={create}>
          {texts.noneHint}
        </EmptyState>
      }
    >
      {(account) => <AccountRow account={account} />}
    </ItemList>
  );
}
