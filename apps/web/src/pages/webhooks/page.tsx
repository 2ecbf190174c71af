import type { Data, Organization } from '@atelier/client';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { SecretDialog } from '../../credentials/secret-dialog.tsx';
import { useHasRole, useOrganization } from '../../session/account.ts';
import { ItemList } from '../../library/item-list.tsx';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { WebhookRow } from './webhook-row.tsx';

const CreateDialog = lazyDialog(() => import('./create-dialog.tsx'));

/** Lists the webhooks of the selected organization and adds some. */
export default function WebhooksPage(): ReactNode {
  const organization = useOrganization();
  return organization ? (
    // The key closes the dialogs when the organization changes.
    <Webhooks key={organization.id} organization={organization} />
  ) : (
    <Page title={texts.title} width="narrow">
      <SkeletonRows />
    </Page>
  );
}

function Webhooks({ organization }: { readonly organization: Organization }): ReactNode {
  const isManager = useHasRole('ADMIN');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Data<'webhooks.create'>>();
  const create = isManager ? (
    <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  ) : null;
  return (
    <Page
      title={texts.title}
      description={texts.description(organization.name)}
      width="narrow"
      actions={create}
    >
      {isManager ? (
        <WebhookList organization={organization} create={create} />
      ) : (
        <EmptyState icon={WebhookIcon} title={texts.forbidden} />
      )}
      {isCreating ? (
        <Suspense>
          <CreateDialog
            organizationId={organization.id}
            onClose={() => setCreating(false)}
            onCreated={(webhook) => {
              setCreating(false);
              setCreated(webhook);
            }}
          />
        </Suspense>
      ) : null}
      {created ? (
        <SecretDialog
          title={texts.created.title}
          label={texts.created.secret}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      ) : null}
    </Page>
  );
}

interface WebhookListProps {
  readonly organization: Organization;
  readonly create: ReactNode;
}

function WebhookList({ organization, create }: WebhookListProps): ReactNode {
  const queries = useOrganizationQueries();
  // An organization has at most 20.
  const webhooks = useItemPages(
    queries.webhooks.list.infiniteQueryOptions({
      params: { id: organization.id },
      query: { limit: 20 },
    }),
  );
  return (
    <ItemList
      pages={webhooks}
      label={texts.listLabel}
      empty={
        <EmptyState icon={WebhookIcon} title={texts.none} action={create}>
          {texts.noneHint}
        </EmptyState>
      }
    >
      {(webhook) => <WebhookRow webhook={webhook} />}
    </ItemList>
  );
}
