import type { Project } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { orGone } from '../../session/gone.ts';
import { errorText } from '../../ui/error-texts.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/projects.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/notices.tsx';

interface DeleteProjectProps {
  readonly project: Project;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

/** Deletes a project with all its tasks after the user has typed its name. */
export default function DeleteProject({
  project: { id, name, taskCounts },
  onClose,
  onDeleted,
}: DeleteProjectProps): ReactNode {
  const [error, setError] = useState<string>();
  const remove = useOrganizationMutation({
    change: (_: void, options) => orGone(api.projects.remove({ params: { id } }, options), null),
    invalidates: [['projects', 'list'], ['tasks', 'mine'], ['dashboard']],
    onDone() {
      notify(texts.deletedNotice(name));
      onClose();
      onDeleted?.();
    },
    onFailed: (failure) => setError(errorText(failure)),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.deleteTitle(name)}
      action={texts.delete}
      typedName={name}
      isBusy={remove.isPending}
      error={error}
      onConfirm={() => remove.mutate()}
    >
      <p>{texts.deleteHint(taskCounts.total)}</p>
    </ConfirmDialog>
  );
}
