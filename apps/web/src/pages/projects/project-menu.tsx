import type { Project } from '@atelier/client';
import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHasRole, useUser } from '../../session/account.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/projects.ts';
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.tsx';
import { useUpdateProject } from './project-changes.ts';
import type { ProjectDialog } from './project-dialog.tsx';

interface ProjectMenuItemsProps {
  readonly project: Project;
  readonly onOpen: (dialog: ProjectDialog) => void;
}

/** Shows the actions on a project. */
export function ProjectMenuItems({ project, onOpen }: ProjectMenuItemsProps): ReactNode {
  const update = useUpdateProject(notifyStatus);
  const isAdmin = useHasRole('ADMIN');
  const isOwn = useUser()?.id === project.createdBy;
  const isActive = project.status === 'ACTIVE';

  function switchStatus(): void {
    const { id } = project;
    update.mutate({ id, patch: { status: isActive ? 'ARCHIVED' : 'ACTIVE' } });
  }

  function notifyStatus({ id, name, status }: Project): void {
    if (status === 'ACTIVE') return notify(texts.activeNotice(name));
    const run = () => update.mutate({ id, patch: { status: 'ACTIVE' } });
    notify(texts.archivedNotice(name), { action: { label: shared.undo, run } });
  }

  return (
    <>
      <MenuItem icon={Pencil} onSelect={() => onOpen({ kind: 'edit', project })}>
        {texts.edit}
      </MenuItem>
      <MenuItem icon={isActive ? Archive : ArchiveRestore} onSelect={switchStatus}>
        {isActive ? texts.archive : texts.activate}
      </MenuItem>
      {isAdmin || isOwn ? (
        <>
          <MenuSeparator />
          <MenuItem
            icon={Trash2}
            tone="danger"
            onSelect={() => onOpen({ kind: 'delete', project })}
          >
            {texts.delete}
          </MenuItem>
        </>
      ) : null}
    </>
  );
}
