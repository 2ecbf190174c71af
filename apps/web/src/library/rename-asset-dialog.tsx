import type { Asset } from '@atelier/client';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { useUpdateAsset } from './asset-changes.ts';
import { DialogButtons } from './dialog-buttons.tsx';

const words = texts.renameDialog;
const schema = z.object({
  assetName: z
    .string()
    .check(z.trim(), z.minLength(1, words.missing), z.maxLength(255, words.tooLong)),
});

interface RenameAssetDialogProps {
  readonly asset: Asset;
  readonly onClose: () => void;
}

export default function RenameAssetDialog({ asset, onClose }: RenameAssetDialogProps): ReactNode {
  // The form shows the error.
  const update = useUpdateAsset(() => {});

  async function rename({ assetName }: z.output<typeof schema>): Promise<void> {
    if (assetName !== asset.assetName) await update.mutateAsync({ id: asset.id, assetName });
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} size="sm">
      <Form schema={schema} onSubmit={rename}>
        {({ isBusy }) => (
          <>
            <Input
              name="assetName"
              label={words.name}
              defaultValue={asset.assetName}
              autoComplete="off"
              data-autofocus
              onFocus={({ target }) => selectStem(target)}
            />
            <DialogButtons action={shared.save} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Selects the name without its extension, which people rarely change. */
function selectStem(input: HTMLInputElement): void {
  const dot = input.value.lastIndexOf('.');
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
}
