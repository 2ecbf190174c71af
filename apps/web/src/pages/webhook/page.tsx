import type { Organization } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganization } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { WebhookStatus } from '../webhooks/webhook-status.tsx';
import { Deliveries } from './deliveries.tsx';
import { Facts } from './facts.tsx';
import type { WebhookProps } from './props.ts';
import { WebhookActions } from './webhook-actions.tsx';

/** Shows one webhook with its deliveries. */
export default function WebhookPage(): ReactNode {
  const organization = useOrganization();
  return organization ? (
    <LoadedPage key={organization.id} organization={organization} />
  ) : (
    <Page title={texts.title} width="normal">
      <SkeletonRows />
    </Page>
  );
}

function LoadedPage({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: webhookId } = useParams({ from: '/shell/settings/webhooks/$id' });
  const queries = useOrganizationQueries();
  const params = { id: organization.id, webhookId };
  const query = useQuery(queries.webhooks.get.queryOptions({ params }));
  return (
    <Load query={query} skeleton={<SkeletonRows />} pageTitle={texts.title}>
      {(webhook) => <WebhookView organizationId={organization.id} webhook={webhook} />}
    </Load>
  );
}

function WebhookView({ organizationId, webhook }: WebhookProps): ReactNode {
  return (
    <Page
      title={webhook.description ?? webhook.url}
      width="normal"
      heading={
        <>
          <nav className="mb-1 flex items-center gap-1 text-sm text-ink-muted">
            <ChevronLeft aria-hidden className="-ml-1 size-3.5 shrink-0" />
            <Link to="/settings/webhooks" className="hover:text-ink hover:underline">
              {texts.back}
            </Link>
          </nav>
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="wrap-anywhere">{webhook.description ?? webhook.url}</h1>
            <WebhookStatus webhook={webhook} />
          </div>
        </>
      }
      actions={<WebhookActions organizationId={organizationId} webhook={webhook} />}
    >
      <div className="flex flex-col gap-6">
        <Trouble webhook={webhook} />
        <Facts webhook={webhook} />
        <Deliveries organizationId={organizationId} webhookId={webhook.id} />
      </div>
    </Page>
  );
}

function Trouble({ webhook }: Pick<WebhookProps, 'webhook'>): ReactNode {
  const { status, disabledReason } = webhook;
  const text = disabledReason
    ? texts.disabledReasons[disabledReason]
    : status === 'FAILING'
      ? texts.failing
      : null;
  return text === null ? null : (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}
