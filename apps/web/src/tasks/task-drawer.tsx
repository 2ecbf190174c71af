import type { Project, Task } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOrganizationQueries } from '../session/queries.ts';
import { texts } from '../texts/tasks.ts';
import { Drawer } from '../ui/dialog.tsx';
import { Load } from '../ui/load.tsx';
import { TaskContent, TaskSkeleton } from './task-content.tsx';
import { TaskTools } from './task-tools.tsx';

interface TaskDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Shows a task in a drawer over the current page. */
export default function TaskDrawer({ id, onClose }: TaskDrawerProps): ReactNode {
  const queries = useOrganizationQueries();
  const task = useQuery(queries.tasks.get.queryOptions({ params: { id } }));
  const projectId = task.data?.projectId ?? '';
  const project = useQuery({
    ...queries.projects.get.queryOptions({ params: { id: projectId } }),
    enabled: projectId !== '',
  }).data;
  const tools = task.data && <TaskTools task={task.data} onDeleted={onClose} place="panel" />;
  return (
    <Drawer isOpen onClose={onClose} title={titleOf(task.data, project)} tools={tools}>
      {/* Takes the initial focus, which would otherwise go to the close button. */}
      <div tabIndex={-1} data-autofocus>
        <Load query={task} skeleton={<TaskSkeleton />}>
          {(data) => <TaskContent key={id} task={data} layout="panel" />}
        </Load>
      </div>
    </Drawer>
  );
}

function titleOf(task: Task | undefined, project: Project | undefined): string {
  return task && project ? `${project.key}-${task.number}` : texts.drawer.loading;
}
