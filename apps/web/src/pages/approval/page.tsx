import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { Approval } from '@atelier/client';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { keptCurrent } from '../../approvals/live-query.ts';
import { ApprovalStatus } from '../../approvals/status.tsx';
import { useOrganizationQueries } from '../../session/queries.ts';
import { useLinkedOrganization } from '../../session/use-linked-organization.ts';
import { texts } from '../../texts/approvals.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { NotFound } from '../../ui/states.tsx';
import { Arguments } from './arguments.tsx';
import { Decision } from './decision.tsx';
import { Facts } from './facts.tsx';

/** Shows one call of an assistant, on which the user decides. */
export default function ApprovalPage(): ReactNode {
  const { id } = useParams({ from: '/shell/approvals/$id' });
  const { organizationId } = useSearch({ from: '/shell/approvals/$id' });
  const selection = useLinkedOrganization(organizationId);
  // The key keeps what was said of one call from another.
  if (selection === 'selected') return <LoadedPage key={id} id={id} />;
  return (
    <Page title={texts.title} width="narrow">
      {selection === 'foreign' ? <NotFound>{texts.foreign}</NotFound> : <SkeletonRows />}
    </Page>
  );
}

function LoadedPage({ id }: { readonly id: string }): ReactNode {
  const queries = useOrganizationQueries();
  const query = useQuery({
    ...queries.approvals.get.queryOptions({ params: { id } }),
    ...keptCurrent((approval: Approval) => [approval]),
  });
  return (
    <Load
      query={query}
      skeleton={
        <Page title={texts.title} width="narrow">
          <SkeletonRows />
        </Page>
      }
      pageTitle={texts.title}
    >
      {(approval) => <ApprovalView approval={approval} />}
    </Load>
  );
}

function ApprovalView({ approval }: { readonly approval: Approval }): ReactNode {
  return (
    <Page
      title={approval.title}
      width="narrow"
      heading={
        <>
          <nav className="mb-1 flex items-center gap-1 text-sm text-ink-muted">
            <ChevronLeft aria-hidden className="-ml-1 size-3.5 shrink-0" />
            <Link to="/approvals" className="hover:text-ink hover:underline">
              {texts.back}
            </Link>
          </nav>
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="wrap-anywhere">{approval.title}</h1>
            <ApprovalStatus status={approval.status} />
          </div>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Facts approval={approval} />
        <Arguments values={approval.arguments} />
        <Decision approval={approval} />
      </div>
    </Page>
  );
}
