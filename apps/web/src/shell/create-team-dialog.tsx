import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { useIdempotentSend } from '../credentials/idempotency.ts';
import { api } from '../session/api.ts';
import { Form } from '../forms/form.tsx';
import { accountKeys } from '../session/account.ts';
import { switchOrganization } from '../session/switch-organization.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { notify } from '../ui/notices.tsx';

const { organizations: words } = texts;
const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, words.nameMissing)) });

export default function CreateTeamDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const send = useIdempotentSend();

  async function create(body: z.output<typeof schema>): Promise<void> {
    const team = await send(body, (idempotencyKey) =>
      api.organizations.create({ body }, { idempotencyKey }),
    );
    await client.invalidateQueries({ queryKey: accountKeys.organizations });
    notify(words.created(team.name));
    onClose();
    await switchOrganization(team.id, () =>
      navigate({ to: '/settings/members', ignoreBlocker: true }),
    );
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.createTeam}
      description={words.createTeamHint}
      size="sm"
    >
      <Form id={id} schema={schema} onSubmit={create}>
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={words.name}
              maxLength={80}
              autoComplete="off"
              data-autofocus
            />
            <div className="flex justify-end gap-2 pb-2">
              <Button onClick={onClose}>{shared.cancel}</Button>
              <Button tone="primary" type="submit" isBusy={isBusy}>
                {words.createTeam}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
