import type { Collection } from '@atelier/client';
import { useId, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { useIdempotentSend } from '../credentials/idempotency.ts';
import { api } from '../session/api.ts';
import { Form } from '../forms/form.tsx';
import { useCollectionChoice } from '../library/collection-choice.ts';
import { useOrganizationId } from '../session/selected-organization.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/uploads.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input, Select } from '../ui/field.tsx';
import { Load } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useUnloadWarning } from '../ui/use-unload-warning.ts';
import { startUploads } from './upload-request.ts';

const { where } = texts;
const isNew = 'new';
const schema = z.object({
  collectionId: z.string(),
  title: z.optional(z.string().check(z.trim(), z.minLength(1, where.titleMissing))),
});

interface ChooseCollectionProps {
  readonly files: readonly File[];
  /** The task to attach them to. */
  readonly taskId?: string | undefined;
  readonly onClose: () => void;
}

/** Asks for the collection of files that were dropped outside a collection. */
export default function ChooseCollection({
  files,
  taskId,
  onClose,
}: ChooseCollectionProps): ReactNode {
  useUnloadWarning();
  const id = useId();
  const organizationId = useOrganizationId();
  const send = useIdempotentSend();
  const [chosen, setChosen] = useState<string>();
  const choice = useCollectionChoice();
  const collectionId = chosen ?? choice.data?.[0]?.id ?? isNew;

  function create(title: string): Promise<Collection> {
    const body = { title };
    return send(body, (idempotencyKey) =>
      api.collections.create({ body }, { organizationId, idempotencyKey }),
    );
  }

  async function start({ title }: z.output<typeof schema>): Promise<void> {
    const isCreated = collectionId === isNew && title;
    const { id: targetId } = isCreated ? await create(title) : { id: collectionId };
    onClose();
    await startUploads(files, { organizationId, collectionId: targetId, taskId });
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={where.title}
      description={(taskId === undefined ? where.files : where.attached)(files.length)}
      size="sm"
    >
      <Load query={choice} skeleton={<SkeletonRows count={2} />}>
        {(collections) => (
          <Form id={id} schema={schema} onSubmit={start}>
            {({ isBusy }) => (
              <>
                <Select
                  name="collectionId"
                  label={where.collection}
                  value={collectionId}
                  onChange={(event) => setChosen(event.target.value)}
                  data-autofocus
                >
                  {collections.map((collection) => (
                    <option key={collection.id} value={collection.id}>
                      {collection.title}
                    </option>
                  ))}
                  <option value={isNew}>{where.newCollection}</option>
                </Select>
                {collectionId === isNew ? (
                  <Input name="title" label={where.newTitle} maxLength={120} autoComplete="off" />
                ) : null}
                <div className="flex justify-end gap-2 pb-2">
                  <Button onClick={onClose}>{shared.cancel}</Button>
                  <Button tone="primary" type="submit" isBusy={isBusy}>
                    {where.upload}
                  </Button>
                </div>
              </>
            )}
          </Form>
        )}
      </Load>
    </Dialog>
  );
}
