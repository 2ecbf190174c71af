import { Copy } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { apiUrl } from '../session/api.ts';
import { texts } from '../texts/api-keys.ts';
import { copyText } from '../ui/clipboard.ts';
import { IconButton } from '../ui/icon-button.tsx';
import {
  assistantAddress,
  httpConfiguration,
  programConfiguration,
} from './assistant-configuration.ts';

const words = texts.assistant;

interface AssistantDetailsProps {
  /** Default: a placeholder. */
  readonly apiKey?: string | undefined;
}

/** Shows how an assistant is connected, to copy. */
export function AssistantDetails({ apiKey }: AssistantDetailsProps): ReactNode {
  const key = apiKey ?? words.placeholder;
  return (
    <div className="flex flex-col gap-4">
      <Copied label={words.address}>{assistantAddress(apiUrl)}</Copied>
      <Copied label={words.http}>{httpConfiguration(apiUrl, key)}</Copied>
      <Copied label={words.program}>{programConfiguration(apiUrl, key)}</Copied>
      {apiKey === undefined ? <p className="text-sm text-ink-muted">{words.replace}</p> : null}
    </div>
  );
}

interface CopiedProps {
  readonly label: string;
  readonly children: string;
}

function Copied({ label, children }: CopiedProps): ReactNode {
  const id = useId();
  return (
    <div>
      <div className="flex items-center justify-between gap-2">
        <p id={id} className="min-w-0 text-sm font-medium">
          {label}
        </p>
        <IconButton
          icon={Copy}
          size="sm"
          label={words.copy(label)}
          onClick={() => void copyText(children)}
        />
      </div>
      <pre
        // Focusable, so that the arrow keys scroll it.
        tabIndex={0}
        role="group"
        aria-labelledby={id}
        className="mt-1 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs"
      >
        {children}
      </pre>
    </div>
  );
}
