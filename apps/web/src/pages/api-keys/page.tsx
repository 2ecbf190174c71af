import type { NewApiKey } from '@atelier/client';
import { KeyRound, Plus } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../../loading/lazy.tsx';
import { NewKeyDialog } from '../../credentials/new-key.tsx';
import { ItemList } from '../../library/item-list.tsx';
import { accountQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/api-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { KeyRow } from './key-row.tsx';

const AssistantCard = lazyPart(() => import('../../credentials/assistant-card.tsx'));
const CreateDialog = lazyDialog(() => import('./create-dialog.tsx'));

/** Lists the user's API keys; creates, renames, replaces and revokes them. */
export default function ApiKeysPage(): ReactNode {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewApiKey>();
  const create = (
    <Button tone="primary" icon={Plus} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} width="narrow" actions={create}>
      <div className="flex flex-col gap-5">
        <KeyList create={create} onCreated={setCreated} />
        <Suspense fallback={<Skeleton className="h-96" />}>
          <AssistantCard />
        </Suspense>
      </div>
      {isCreating ? (
        <Suspense>
          <CreateDialog
            onClose={() => setCreating(false)}
            onCreated={(key) => {
              setCreating(false);
              setCreated(key);
            }}
          />
        </Suspense>
      ) : null}
      {created ? <NewKeyDialog created={created} onClose={() => setCreated(undefined)} /> : null}
    </Page>
  );
}

interface KeyListProps {
  readonly create: ReactNode;
  readonly onCreated: (created: NewApiKey) => void;
}

function KeyList({ create, onCreated }: KeyListProps): ReactNode {
  const keys = useItemPages(
    accountQueries.apiKeys.list.infiniteQueryOptions({ query: { limit: 50 } }),
  );
  return (
    <ItemList
      pages={keys}
      label={texts.listLabel}
      empty={
        <EmptyState icon={KeyRound} title={texts.none} action={create}>
          {texts.noneHint}
        </EmptyState>
      }
    >
      {(key) => <KeyRow apiKey={key} onReplaced={onCreated} />}
    </ItemList>
  );
}
