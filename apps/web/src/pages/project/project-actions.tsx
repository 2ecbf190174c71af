import type { Project } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { FileDown, FileUp, MoreHorizontal, Tags } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { loadWhenIdle } from '../../loading/idle.ts';
import { lazyDialog } from '../../loading/lazy.tsx';
import { notifyNotLoaded } from '../../loading/notify.ts';
import { script } from '../../loading/script.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { texts } from '../../texts/project.ts';
import { texts as csv } from '../../texts/task-csv.ts';
import { errorText } from '../../ui/error-texts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.tsx';
import { useImport } from './csv/use-import.ts';
import { useProjectDialog } from '../projects/project-dialog.tsx';
import { ProjectMenuItems } from '../projects/project-menu.tsx';

const ImportDialog = lazyDialog(() => import('./csv/import-dialog.tsx'));
const exporting = script(() => import('./csv/export-tasks.ts'));
loadWhenIdle(exporting);
const LabelsDialog = lazyDialog(() => import('../../tasks/labels-dialog.tsx'));

/** Shows the actions on the current project. */
export default function ProjectActions({ project }: { readonly project: Project }): ReactNode {
  const navigate = useNavigate();
  const { open, dialog } = useProjectDialog(() => void navigate({ to: '/projects' }));
  const [isLabelling, setLabelling] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const addTasks = useImport(project.id);
  const organizationId = useOrganizationId();

  async function exportAll(): Promise<void> {
    const state = await exporting.load();
    if (state.status === 'failed') return notifyNotLoaded(state.failure);
    if (state.status === 'waiting') return undefined;
    try {
      await state.module.exportTasks(project, organizationId);
    } catch (error) {
      notify(`${csv.exportFailed} ${errorText(error)}`, { tone: 'danger' });
    }
  }

  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} label={texts.actions} />}>
        <MenuItem icon={FileDown} onSelect={() => void exportAll()}>
          {csv.export}
        </MenuItem>
        <MenuItem
          icon={FileUp}
          isDisabled={project.status === 'ARCHIVED'}
          onSelect={() => setImporting(true)}
        >
          {csv.import}
        </MenuItem>
        <MenuItem icon={Tags} onSelect={() => setLabelling(true)}>
          {texts.manageLabels}
        </MenuItem>
        <MenuSeparator />
        <ProjectMenuItems project={project} onOpen={open} />
      </Menu>
      {dialog}
      {isImporting ? (
        <Suspense>
          <ImportDialog onImport={addTasks} onClose={() => setImporting(false)} />
        </Suspense>
      ) : null}
      {isLabelling ? (
        <Suspense>
          <LabelsDialog onClose={() => setLabelling(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
