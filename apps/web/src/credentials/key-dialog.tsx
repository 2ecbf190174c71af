import type { NewApiKey, ToolMode } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { DialogButtons } from '../library/dialog-buttons.tsx';
import { topicKey, type TopicKey } from '../session/queries.ts';
import { texts } from '../texts/api-keys.ts';
import { confirmed } from '../session/confirmed.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { useAccess, type AccessBody } from './access-choice.tsx';
import { expiresInDays, ExpirySelect } from './expiry-select.tsx';
import { useIdempotentSend } from './idempotency.ts';
import { keyName } from './key-name.ts';
import { ToolModeChoice } from './tool-mode-choice.tsx';

const words = texts.creating;
const schema = z.object({ name: keyName, expiresInDays });

/** What the form says of every key. */
export type KeyBody = z.output<typeof schema> & AccessBody & { readonly toolMode: ToolMode };

interface KeyDialogProps<More> {
  readonly accessHint: string;
  /** What else the request needs; undefined while it isn't valid. */
  readonly more: More | undefined;
  /** Sends the request, whose session may have to be confirmed first. */
  readonly create: (
    body: KeyBody & More,
    options: { readonly idempotencyKey: string },
  ) => Promise<NewApiKey>;
  readonly invalidates: TopicKey;
  readonly onClose: () => void;
  readonly onCreated: (created: NewApiKey) => void;
  /** More fields; they show their errors once asked to. */
  readonly children?: (showsErrors: boolean) => ReactNode;
}

/** Creates a key: its name, what it may do and when it ends. */
export function KeyDialog<More extends object>(props: KeyDialogProps<More>): ReactNode {
  const { accessHint, more, create, invalidates, onClose, onCreated, children } = props;
  const access = useAccess(accessHint);
  const [toolMode, setToolMode] = useState<ToolMode>('ASK');
  const [isChecked, setChecked] = useState(false);
  const client = useQueryClient();
  const send = useIdempotentSend();

  async function submit(values: z.output<typeof schema>): Promise<void> {
    setChecked(true);
    if (!more || !access.body) return;
    const body = { ...values, ...access.body, toolMode, ...more };
    const created = await send(body, (idempotencyKey) =>
      confirmed(() => create(body, { idempotencyKey })),
    );
    void client.invalidateQueries({ queryKey: topicKey(invalidates) });
    onCreated(created);
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} size="md">
      <Form schema={schema} onSubmit={submit} className="flex flex-col gap-5">
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={words.name}
              hint={words.nameHint}
              autoComplete="off"
              data-autofocus
            />
            {children?.(isChecked)}
            {access.choice(isChecked)}
            <ToolModeChoice chosen={toolMode} onChange={setToolMode} />
            <ExpirySelect />
            <DialogButtons action={words.submit} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
