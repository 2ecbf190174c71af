import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RefreshCw, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { topicKey, useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { keysOf } from '../../ui/options.ts';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeliveryRow } from './delivery-row.tsx';

const words = texts.deliveries;

interface DeliveriesProps {
  readonly organizationId: string;
  readonly webhookId: string;
}

/** Lists the deliveries of a webhook, filtered by the search parameter. */
export function Deliveries({ organizationId, webhookId }: DeliveriesProps): ReactNode {
  const { status } = useSearch({ from: '/shell/settings/webhooks/$id' });
  const navigate = useNavigate({ from: '/settings/webhooks/$id' });
  const queries = useOrganizationQueries();
  const client = useQueryClient();
  const deliveries = useItemPages({
    ...queries.webhooks.listDeliveries.infiniteQueryOptions({
      params: { id: organizationId, webhookId },
      query: { limit: 50, ...(status && { status }) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <div className="flex gap-2">
          <FilterSelect
            label={words.status}
            value={status}
            anyLabel={words.allStatuses}
            options={keysOf(words.statuses).map((value) => ({
              value,
              label: words.statuses[value],
            }))}
            onChange={(next) => void navigate({ search: { status: next }, replace: true })}
          />
          <Button
            icon={RefreshCw}
            onClick={() => void client.invalidateQueries({ queryKey: topicKey(['webhooks']) })}
          >
            {words.refresh}
          </Button>
        </div>
      }
    >
      {deliveries.error && deliveries.items.length === 0 ? (
        <Failed error={deliveries.error} onRetry={deliveries.refetch} />
      ) : deliveries.isPending ? (
        <SkeletonRows />
      ) : deliveries.items.length === 0 ? (
        <EmptyState icon={Send} title={status ? words.noMatch : words.none}>
          {status ? null : words.noneHint}
        </EmptyState>
      ) : (
        <>
          <ul aria-label={words.title} className="-my-1 divide-y divide-line">
            {deliveries.items.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                organizationId={organizationId}
                webhookId={webhookId}
              />
            ))}
          </ul>
          <LoadMore
            hasMore={deliveries.hasMore}
            isLoading={deliveries.isLoadingMore}
            onMore={deliveries.loadMore}
            shown={deliveries.items.length}
            total={deliveries.total}
            isTotalLowerBound={deliveries.isTotalLowerBound}
          />
        </>
      )}
    </Section>
  );
}
