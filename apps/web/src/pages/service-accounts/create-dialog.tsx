import type { ServiceAccount } from '@atelier/client';
import type { ReactNode } from 'react';
import { useIdempotentSend } from '../../credentials/idempotency.ts';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/service-accounts.ts';
import { AccountForm, type AccountValues } from './account-form.tsx';

interface CreateDialogProps {
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onCreated: (account: ServiceAccount) => void;
}

/** Creates a service account. */
export default function CreateDialog(props: CreateDialogProps): ReactNode {
  const { organizationId, onClose, onCreated } = props;
  const send = useIdempotentSend();
  const create = useOrganizationMutation({
    change: (body: AccountValues, options) =>
      send(body, (idempotencyKey) =>
        api.serviceAccounts.create(
          { params: { id: organizationId }, body },
          { ...options, idempotencyKey },
        ),
      ),
    invalidates: [['serviceAccounts'], ['organizations'], ['timeline']],
    onDone: onCreated,
    // The form shows the error.
    onFailed() {},
  });
  return (
    <AccountForm
      title={texts.form.create}
      action={texts.form.submit}
      initial={{ name: '', role: 'MEMBER' }}
      onSubmit={(values) => create.mutateAsync(values)}
      onClose={onClose}
    />
  );
}
