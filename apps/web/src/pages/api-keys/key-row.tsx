import type { ApiKey, NewApiKey } from '@atelier/client';
import { Pencil } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { KeyMenu } from '../../credentials/key-menu.tsx';
import { isUsable, KeySummary } from '../../credentials/key-summary.tsx';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/api-keys.ts';
import { MenuItem } from '../../ui/menu.tsx';

const RenameDialog = lazyDialog(() => import('./rename-dialog.tsx'));

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly onReplaced: (created: NewApiKey) => void;
}

/** Shows one key and its actions. */
export function KeyRow({ apiKey, onReplaced }: KeyRowProps): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const { id } = apiKey;
  const organizations = apiKey.organizations.map(({ name }) => name).join(', ');
  return (
    <KeySummary apiKey={apiKey} about={organizations || texts.noOrganization}>
      {isUsable(apiKey) ? (
        <KeyMenu
          apiKey={apiKey}
          invalidates={[['apiKeys'], ['timeline']]}
          replace={(body, options) => api.apiKeys.rotate({ params: { id }, body }, options)}
          revoke={(options) => api.apiKeys.revoke({ params: { id } }, options)}
          onReplaced={onReplaced}
        >
          <MenuItem icon={Pencil} onSelect={() => setRenaming(true)}>
            {texts.rename}
          </MenuItem>
        </KeyMenu>
      ) : null}
      <Suspense>
        {isRenaming ? <RenameDialog apiKey={apiKey} onClose={() => setRenaming(false)} /> : null}
      </Suspense>
    </KeySummary>
  );
}
