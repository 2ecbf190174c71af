import { Copy, Download, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/security.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useKeptPage } from '../../ui/use-kept-page.ts';

const { recoveryCodes: words } = texts;

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows new recovery codes, once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps): ReactNode {
  useKeptPage(words.saveFirst);
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isClosedByFooterOnly
      title={words.save}
      size="sm"
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
        <ul
          aria-label={words.list}
          className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-md bg-sunken px-4 py-3 font-mono text-sm min-[26rem]:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button icon={Copy} data-autofocus onClick={() => void copyText(text)}>
            {words.copy}
          </Button>
          <a
            className={buttonClass()}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download={words.fileName}
          >
            <Download aria-hidden className="size-4" />
            {words.download}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
