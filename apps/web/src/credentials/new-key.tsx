import type { NewApiKey } from '@atelier/client';
import type { ReactNode } from 'react';
import { apiUrl } from '../session/api.ts';
import { texts } from '../texts/api-keys.ts';
import { AssistantDetails } from './assistant-details.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const words = texts.created;

interface NewKeyDialogProps {
  readonly created: Pick<NewApiKey, 'key'>;
  readonly onClose: () => void;
}

/** Shows a new key and how to use it. */
export function NewKeyDialog({ created: { key }, onClose }: NewKeyDialogProps): ReactNode {
  const url = new URL('/api/auth/api-keys/current', apiUrl).href;
  const example = `curl ${url} \\\n  -H 'authorization: Bearer ${key}'`;
  return (
    <SecretDialog title={words.title} label={words.key} secret={key} onClose={onClose}>
      <div>
        <p className="text-sm font-medium">{words.use}</p>
        <pre
          tabIndex={0}
          className="mt-1.5 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs"
        >
          {example}
        </pre>
      </div>
      <details>
        <summary className="w-fit rounded-sm text-sm font-medium">{texts.assistant.title}</summary>
        <div className="mt-3">
          <AssistantDetails apiKey={key} />
        </div>
      </details>
    </SecretDialog>
  );
}
