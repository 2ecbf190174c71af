import type { Project } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/project.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useProjectDialog } from '../projects/project-dialog.tsx';
import { ProjectMenuItems } from '../projects/project-menu.tsx';

/** Shows the actions on the current project. */
export default function ProjectActions({ project }: { readonly project: Project }): ReactNode {
  const navigate = useNavigate();
  const { open, dialog } = useProjectDialog(() => void navigate({ to: '/projects' }));
  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} label={texts.actions} />}>
        <ProjectMenuItems project={project} onOpen={open} />
      </Menu>
      {dialog}
    </>
  );
}
