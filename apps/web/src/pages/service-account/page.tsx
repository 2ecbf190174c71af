import type { Organization } from '@atelier/client';
import { Link, useParams } from '@tanstack/react-router';
import { Bot, ChevronLeft } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { TeamPage } from '../../credentials/team-page.tsx';
import { lazyPart } from '../../loading/lazy.tsx';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts as members } from '../../texts/members.ts';
import { texts } from '../../texts/service-accounts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AccountFacts } from '../service-accounts/account-facts.tsx';
import { accountsOf } from '../service-accounts/accounts.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountKeys } from './account-keys.tsx';
import type { AccountProps } from './props.ts';

const AssistantCard = lazyPart(() => import('../../credentials/assistant-card.tsx'));

/** Shows one service account with its API keys. */
export default function ServiceAccountPage(): ReactNode {
  return (
    <TeamPage icon={Bot} texts={texts}>
      {(team) => <LoadedPage key={team.id} team={team} />}
    </TeamPage>
  );
}

function LoadedPage({ team }: { readonly team: Organization }): ReactNode {
  const { id } = useParams({ from: '/shell/settings/service-accounts/$id' });
  const accounts = useItemPages(accountsOf(useOrganizationQueries(), team.id));
  const account = accounts.items.find((one) => one.id === id);
  if (account) return <AccountView organizationId={team.id} account={account} />;
  return (
    <Page title={texts.title} width="narrow" heading={<Back />}>
      {accounts.error ? (
        <Failed error={accounts.error} onRetry={accounts.refetch} />
      ) : accounts.isPending ? (
        <SkeletonRows />
      ) : (
        <EmptyState icon={Bot} title={texts.missing} />
      )}
    </Page>
  );
}

function AccountView({ organizationId, account }: AccountProps): ReactNode {
  return (
    <Page
      title={account.name}
      width="narrow"
      heading={
        <>
          <Back />
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="wrap-anywhere">{account.name}</h1>
            <Badge>{members.roles[account.role]}</Badge>
          </div>
        </>
      }
      description={
        <p className="text-sm first-letter:uppercase">
          <AccountFacts account={account} />
        </p>
      }
      actions={<AccountActions organizationId={organizationId} account={account} />}
    >
      <div className="flex flex-col gap-5">
        <AccountKeys organizationId={organizationId} account={account} />
        <Suspense fallback={<Skeleton className="h-96" />}>
          <AssistantCard />
        </Suspense>
      </div>
    </Page>
  );
}

function Back(): ReactNode {
  return (
    <nav className="mb-1 flex items-center gap-1 text-sm text-ink-muted">
      <ChevronLeft aria-hidden className="-ml-1 size-3.5 shrink-0" />
      <Link to="/settings/service-accounts" className="hover:text-ink hover:underline">
        {texts.back}
      </Link>
    </nav>
  );
}
