import type { Asset } from '@atelier/client';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { texts } from '../texts/library.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Load } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useMoveAssets } from './asset-changes.ts';
import { useCollectionChoice } from './collection-choice.ts';
import { DialogButtons } from './dialog-buttons.tsx';

const words = texts.moveDialog;
const schema = z.object({ collectionId: z.string() });

interface MoveAssetsDialogProps {
  readonly assets: readonly Asset[];
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

export default function MoveAssetsDialog({
  assets,
  onClose,
  onMoved,
}: MoveAssetsDialogProps): ReactNode {
  const move = useMoveAssets();
  const choice = useCollectionChoice();

  async function submit({ collectionId }: z.output<typeof schema>): Promise<void> {
    const to = choice.data?.find(({ id }) => id === collectionId);
    if (!to) return;
    await move.mutateAsync({ assets, to });
    onMoved();
    onClose();
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title(assets.length)}
      description={assets.length === 1 ? assets[0]?.assetName : undefined}
      size="sm"
    >
      <Load query={choice} skeleton={<SkeletonRows count={2} />}>
        {(collections) => {
          const targets = collections.filter(({ id }) =>
            assets.some(({ collectionId }) => collectionId !== id),
          );
          return targets.length > 0 ? (
            <Form schema={schema} onSubmit={submit}>
              {({ isBusy }) => (
                <>
                  <Select
                    name="collectionId"
                    label={words.collection}
                    data-autofocus
                    // The collections may load after the dialog opens.
                    autoFocus
                  >
                    {targets.map(({ id, title }) => (
                      <option key={id} value={id}>
                        {title}
                      </option>
                    ))}
                  </Select>
                  <DialogButtons action={words.action} isBusy={isBusy} onCancel={onClose} />
                </>
              )}
            </Form>
          ) : (
            <p className="pb-3 text-ink-muted">{words.noOther}</p>
          );
        }}
      </Load>
    </Dialog>
  );
}
