import type { NewApiKey } from '@atelier/client';
import type { ReactNode } from 'react';
import { KeyDialog } from '../../credentials/key-dialog.tsx';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/service-accounts.ts';
import type { AccountProps } from './props.ts';

interface CreateKeyDialogProps extends AccountProps {
  readonly onClose: () => void;
  readonly onCreated: (created: NewApiKey) => void;
}

/** Creates a key of a service account. */
export default function CreateKeyDialog(props: CreateKeyDialogProps): ReactNode {
  const { organizationId, account, ...dialog } = props;
  const params = { id: organizationId, accountId: account.id };
  return (
    <KeyDialog
      {...dialog}
      accessHint={texts.keyList.accessHint}
      more={{}}
      create={(body, options) => api.serviceAccounts.createKey({ params, body }, options)}
      invalidates={['serviceAccounts']}
    />
  );
}
