import { useState, type ReactNode } from 'react';
import { changedFields } from '../../forms/changed-fields.ts';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/service-accounts.ts';
import { texts as shared } from '../../texts/shared.ts';
import { notify } from '../../ui/notices.tsx';
import { AccountForm, type AccountValues } from '../service-accounts/account-form.tsx';
import type { AccountProps } from './props.ts';

interface EditDialogProps extends AccountProps {
  readonly onClose: () => void;
}

/** Renames a service account, and gives it another role. */
export default function EditDialog(props: EditDialogProps): ReactNode {
  const { organizationId, account, onClose } = props;
  // Others may change the account while the form is open.
  const [before] = useState(account);
  const params = { id: organizationId, accountId: account.id };
  const update = useOrganizationMutation({
    change: (body: Partial<AccountValues>, options) =>
      api.serviceAccounts.update({ params, body }, options),
    invalidates: [['serviceAccounts'], ['organizations'], ['timeline']],
    onDone: () => notify(texts.form.saved),
    // The form shows the error.
    onFailed() {},
  });

  async function save(values: AccountValues): Promise<void> {
    const body = changedFields(values, before);
    if (Object.keys(body).length > 0) await update.mutateAsync(body);
    onClose();
  }

  return (
    <AccountForm
      title={texts.form.edit}
      action={shared.save}
      initial={before}
      onSubmit={save}
      onClose={onClose}
    />
  );
}
