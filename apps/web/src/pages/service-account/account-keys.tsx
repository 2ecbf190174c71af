import type { NewApiKey } from '@atelier/client';
import { KeyRound, Plus } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { KeyMenu } from '../../credentials/key-menu.tsx';
import { isUsable, KeySummary } from '../../credentials/key-summary.tsx';
import { NewKeyDialog } from '../../credentials/new-key.tsx';
import { ItemList } from '../../library/item-list.tsx';
import { api } from '../../session/api.ts';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts as keyTexts } from '../../texts/api-keys.ts';
import { texts } from '../../texts/service-accounts.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { AccountProps } from './props.ts';

const CreateKeyDialog = lazyDialog(() => import('./create-key-dialog.tsx'));
const words = texts.keyList;

/** Lists the API keys of a service account; creates, replaces and revokes them. */
export function AccountKeys(props: AccountProps): ReactNode {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewApiKey>();
  const create = (
    <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
      {keyTexts.create}
    </Button>
  );
  return (
    <Section title={words.title} actions={create}>
      <KeyList {...props} onCreated={setCreated} />
      {isCreating ? (
        <Suspense>
          <CreateKeyDialog
            {...props}
            onClose={() => setCreating(false)}
            onCreated={(key) => {
              setCreating(false);
              setCreated(key);
            }}
          />
        </Suspense>
      ) : null}
      {created ? <NewKeyDialog created={created} onClose={() => setCreated(undefined)} /> : null}
    </Section>
  );
}

interface KeyListProps extends AccountProps {
  readonly onCreated: (created: NewApiKey) => void;
}

function KeyList({ organizationId, account, onCreated }: KeyListProps): ReactNode {
  const queries = useOrganizationQueries();
  const accountParams = { id: organizationId, accountId: account.id };
  const keys = useItemPages(
    queries.serviceAccounts.listKeys.infiniteQueryOptions({
      params: accountParams,
      query: { limit: 50 },
    }),
  );
  return (
    <ItemList
      pages={keys}
      label={words.label}
      empty={
        <EmptyState icon={KeyRound} title={words.none}>
          {words.noneHint}
        </EmptyState>
      }
      frame={(list) => list}
    >
      {(key) => {
        const params = { ...accountParams, keyId: key.id };
        return (
          <KeySummary apiKey={key}>
            {isUsable(key) ? (
              <KeyMenu
                apiKey={key}
                invalidates={[['serviceAccounts'], ['timeline']]}
                replace={(body, options) =>
                  api.serviceAccounts.rotateKey({ params, body }, options)
                }
                revoke={(options) => api.serviceAccounts.revokeKey({ params }, options)}
                onReplaced={onCreated}
              />
            ) : null}
          </KeySummary>
        );
      }}
    </ItemList>
  );
}
