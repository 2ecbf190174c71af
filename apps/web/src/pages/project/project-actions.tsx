import type { Project } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { MoreHorizontal, Tags } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { texts } from '../../texts/project.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useProjectDialog } from '../projects/project-dialog.tsx';
import { ProjectMenuItems } from '../projects/project-menu.tsx';

const LabelsDialog = lazyDialog(() => import('../../tasks/labels-dialog.tsx'));

/** Shows the actions on the current project. */
export default function ProjectActions({ project }: { readonly project: Project }): ReactNode {
  const navigate = useNavigate();
  const { open, dialog } = useProjectDialog(() => void navigate({ to: '/projects' }));
  const [isLabelling, setLabelling] = useState(false);
  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} label={texts.actions} />}>
        <MenuItem icon={Tags} onSelect={() => setLabelling(true)}>
          {texts.manageLabels}
        </MenuItem>
        <MenuSeparator />
        <ProjectMenuItems project={project} onOpen={open} />
      </Menu>
      {dialog}
      {isLabelling ? (
        <Suspense>
          <LabelsDialog onClose={() => setLabelling(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
