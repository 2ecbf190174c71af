import type { Project } from '@atelier/client';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';

const ProjectForm = lazyDialog(() => import('./project-form.tsx'));
const DeleteProject = lazyDialog(() => import('./delete-project.tsx'));

export interface ProjectDialog {
  readonly kind: 'create' | 'edit' | 'delete';
  readonly project?: Project;
}

/** Provides the dialogs of projects, which are loaded when first opened. */
export function useProjectDialog(onDeleted?: () => void): {
  readonly open: (dialog: ProjectDialog) => void;
  readonly dialog: ReactNode;
} {
  const [shown, setShown] = useState<ProjectDialog>();
  const close = () => setShown(undefined);
  return {
    open: setShown,
    dialog: shown ? (
      <Suspense>
        {shown.kind === 'delete' && shown.project ? (
          <DeleteProject project={shown.project} onClose={close} onDeleted={onDeleted} />
        ) : (
          <ProjectForm project={shown.project} onClose={close} />
        )}
      </Suspense>
    ) : null,
  };
}
