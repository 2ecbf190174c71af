import { Copy, TriangleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { texts } from '../texts/credentials.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/clipboard.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useKeptPage } from '../ui/use-kept-page.ts';

const words = texts.secret;

interface SecretDialogProps {
  readonly title: string;
  /** What the secret is, such as “API key”. */
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** Shows how it is used. */
  readonly children?: ReactNode;
}

/** Shows a new secret, once. */
export function SecretDialog(props: SecretDialogProps): ReactNode {
  const { title, label, secret, onClose, children } = props;
  const id = useId();
  useKeptPage(words.saveFirst);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isClosedByFooterOnly
      title={title}
      size="md"
      footer={
        <Button tone="primary" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {words.warning}
        </p>
        <div className="flex flex-col gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            {label}
          </label>
          <div className="flex gap-2">
            <input
              id={id}
              readOnly
              value={secret}
              onFocus={({ target }) => target.select()}
              className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-sunken px-3 font-mono text-sm"
            />
            <Button
              icon={Copy}
              aria-label={words.copyLabel(label)}
              data-autofocus
              onClick={() => void copyText(secret)}
            >
              {words.copy}
            </Button>
          </div>
        </div>
        {children}
      </div>
    </Dialog>
  );
}
