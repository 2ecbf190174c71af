import type { NewApiKey } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/api-keys.ts';
import { OverlapDialog } from './overlap-dialog.tsx';

interface ReplaceDialogProps {
  /** The name of the key. */
  readonly name: string;
  readonly replace: (
    body: { readonly overlapHours: number },
    options: { readonly idempotencyKey: string },
  ) => Promise<NewApiKey>;
  readonly onReplaced: (created: NewApiKey) => void;
  readonly onClose: () => void;
}

/** Replaces a key by a new one; the old one may work for a while. */
export default function ReplaceDialog({ name, ...dialog }: ReplaceDialogProps): ReactNode {
  return <OverlapDialog title={texts.replacing.title(name)} texts={texts.replacing} {...dialog} />;
}
