import type { Data, Organization } from '@atelier/client';
import type { InfiniteData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { keptCurrent } from '../../approvals/live-query.ts';
import { ItemList } from '../../library/item-list.tsx';
import { useOrganization } from '../../session/account.ts';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/approvals.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ApprovalRow } from './approval-row.tsx';

/** Lists the calls of assistants that the user may decide on in the selected organization. */
export default function ApprovalsPage(): ReactNode {
  const organization = useOrganization();
  return organization ? (
    <Approvals organization={organization} />
  ) : (
    <Page title={texts.title} width="narrow">
      <SkeletonRows />
    </Page>
  );
}

function Approvals({ organization }: { readonly organization: Organization }): ReactNode {
  return (
    <Page title={texts.title} description={texts.description(organization.name)} width="narrow">
      <ApprovalLists />
    </Page>
  );
}

function ApprovalLists(): ReactNode {
  const queries = useOrganizationQueries();
  const all = useItemPages({
    ...queries.approvals.list.infiniteQueryOptions({ query: { limit: 50 } }),
    ...keptCurrent(({ pages }: InfiniteData<Data<'approvals.list'>>) =>
      pages.flatMap(({ items }) => items),
    ),
  });
  const waiting = all.items.filter(({ status }) => status === 'WAITING');
  const others = all.items.filter(({ status }) => status !== 'WAITING');
  return (
    <div className="flex flex-col gap-5">
      {waiting.length > 0 ? (
        <Section title={texts.waiting}>
          <ul aria-label={texts.waitingLabel} className="-my-3 divide-y divide-line">
            {waiting.map((approval) => (
              <ApprovalRow key={approval.id} approval={approval} />
            ))}
          </ul>
        </Section>
      ) : null}
      <ItemList
        pages={{ ...all, items: others, total: all.total - waiting.length }}
        label={texts.othersLabel}
        empty={waiting.length > 0 ? null : <NoApprovals />}
        frame={(list) => <Section title={texts.others}>{list}</Section>}
      >
        {(approval) => <ApprovalRow approval={approval} />}
      </ItemList>
    </div>
  );
}

function NoApprovals(): ReactNode {
  return (
    <EmptyState
      icon={ShieldQuestionMark}
      title={texts.none}
      action={
        <Link to="/settings/api-keys" className={buttonClass()}>
          {texts.connect}
        </Link>
      }
    >
      {texts.noneHint}
    </EmptyState>
  );
}
