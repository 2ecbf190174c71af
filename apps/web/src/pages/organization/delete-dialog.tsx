import type { Organization } from '@atelier/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { accountKeys } from '../../session/account.ts';
import { confirmed } from '../../session/confirmed.ts';
import { errorText } from '../../ui/error-texts.ts';
import { selectOrganization } from '../../session/selected-organization.ts';
import { texts } from '../../texts/organization.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/notices.tsx';

const { remove: words } = texts;

interface DeleteDialogProps {
  readonly organization: Organization;
  readonly onClose: () => void;
}

/** Deletes a team after the user has typed its name, which the API verifies. */
export default function DeleteDialog({ organization, onClose }: DeleteDialogProps): ReactNode {
  const { id, name } = organization;
  const client = useQueryClient();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () =>
      confirmed(() => api.organizations.remove({ params: { id }, query: { confirmName: name } })),
    onSuccess() {
      selectOrganization(null);
      notify(words.done(name));
      void client.invalidateQueries({ queryKey: accountKeys.organizations });
      void navigate({ to: '/' });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.confirm(name)}
      action={words.action}
      typedName={name}
      isBusy={deletion.isPending}
      error={deletion.error ? errorText(deletion.error) : undefined}
      onConfirm={() => deletion.mutate()}
    >
      {words.text}
    </ConfirmDialog>
  );
}
