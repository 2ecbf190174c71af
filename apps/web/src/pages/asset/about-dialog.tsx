import type { Asset } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { changedFields } from '../../forms/changed-fields.ts';
import { Form } from '../../forms/form.tsx';
import { useUpdateAsset } from '../../library/asset-changes.ts';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/tags.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Textarea } from '../../ui/field.tsx';
import { TagField } from './tag-field.tsx';
import { withTags } from './tags.ts';

const schema = z.object({
  description: z.string().check(z.trim(), z.maxLength(2_000, texts.tooLong)),
  // What was typed and not added yet.
  tags: z.string(),
});

interface AboutDialogProps {
  readonly asset: Asset;
  readonly onClose: () => void;
}

export default function AboutDialog({ asset, onClose }: AboutDialogProps): ReactNode {
  // The form shows the error.
  const update = useUpdateAsset(() => {});
  // Others may change the asset while the form is open.
  const [before] = useState(asset);
  const [tags, setTags] = useState<readonly string[]>(before.tags);

  async function save(typed: z.output<typeof schema>): Promise<void> {
    const values = {
      description: typed.description || null,
      tags: [...withTags(tags, typed.tags)],
    };
    const body = changedFields(values, before);
    if (Object.keys(body).length > 0) await update.mutateAsync({ id: asset.id, ...body });
    onClose();
  }

  return (
    <Dialog isOpen onClose={onClose} title={texts.title} size="sm">
      <Form schema={schema} onSubmit={save}>
        {({ isBusy }) => (
          <>
            <Textarea
              name="description"
              label={texts.description}
              defaultValue={before.description ?? ''}
              data-autofocus
            />
            <TagField tags={tags} onChange={setTags} />
            <DialogButtons action={shared.save} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
