import type { ServiceAccount } from '@atelier/client';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { texts as members } from '../../texts/members.ts';
import { texts } from '../../texts/service-accounts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';

const words = texts.form;
const roles = ['ADMIN', 'MEMBER', 'VIEWER'] as const;
const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, words.missing), z.maxLength(80, words.tooLong)),
  role: z.enum(roles),
});

/** What the form sends. */
export type AccountValues = z.output<typeof schema>;

interface AccountFormProps {
  readonly title: string;
  readonly action: string;
  /** What the fields have at first. */
  readonly initial: Pick<ServiceAccount, 'name' | 'role'>;
  readonly onSubmit: (values: AccountValues) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The dialog for a new or changed service account. */
export function AccountForm(props: AccountFormProps): ReactNode {
  const { title, action, initial, onSubmit, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title} size="sm">
      <Form schema={schema} onSubmit={onSubmit} className="flex flex-col gap-5">
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={words.name}
              hint={words.nameHint}
              defaultValue={initial.name}
              autoComplete="off"
              data-autofocus
            />
            <Select
              name="role"
              label={words.role}
              hint={words.roleHint}
              defaultValue={initial.role}
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {members.roles[role]}
                </option>
              ))}
            </Select>
            <DialogButtons action={action} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
