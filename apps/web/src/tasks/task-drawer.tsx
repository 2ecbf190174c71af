import { useQuery } from '@tanstack/react-query';
import type { Project, Task } from '@atelier/client';
import { Copy, MoreHorizontal, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useHasRole } from '../session/account.ts';
import { useOrganizationQueries } from '../session/queries.ts';
import { texts } from '../texts/tasks.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Load } from '../ui/load.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { notify } from '../ui/notices.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Comments } from './comments.tsx';
import { TaskActivity } from './task-activity.tsx';
import { useDeleteTask } from './task-changes.ts';
import { TaskDescription } from './task-description.tsx';
import { TaskFields } from './task-fields.tsx';
import { TaskTitle } from './task-title.tsx';

const { drawer: words } = texts;

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
  return (
    <Drawer isOpen onClose={onClose} title={titleOf(task.data, project)}>
      {/* Takes the initial focus, which would otherwise go to the close button. */}
      <div tabIndex={-1} data-autofocus>
        <Load query={task} skeleton={<DrawerSkeleton />}>
          {(data) => <Content key={id} task={data} onClose={onClose} />}
        </Load>
      </div>
    </Drawer>
  );
}

function titleOf(task: Task | undefined, project: Project | undefined): string {
  return task && project ? `${project.key}-${task.number}` : words.loading;
}

interface ContentProps {
  readonly task: Task;
  readonly onClose: () => void;
}

function Content({ task, onClose }: ContentProps): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  const [tab, setTab] = useState<'comments' | 'activity'>('comments');
  return (
    <div className="flex flex-col gap-6 pb-6">
      <div className="flex items-start gap-2">
        <TaskTitle task={task} isReadOnly={!mayEdit} />
        <TaskMenu task={task} mayDelete={mayEdit} onDeleted={onClose} />
      </div>
      <TaskFields task={task} isReadOnly={!mayEdit} />
      <TaskDescription task={task} isReadOnly={!mayEdit} />
      <Tabs
        label={words.tabs}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'comments',
            label: words.commentsTab(task.commentCount),
            panel: <Comments taskId={task.id} mayWrite={mayEdit} />,
          },
          { value: 'activity', label: words.activityTab, panel: <TaskActivity id={task.id} /> },
        ]}
      />
    </div>
  );
}

interface TaskMenuProps {
  readonly task: Task;
  readonly mayDelete: boolean;
  readonly onDeleted: () => void;
}

function TaskMenu({ task: { id, title }, mayDelete, onDeleted }: TaskMenuProps): ReactNode {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useDeleteTask();

  async function copyLink(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      notify(words.linkCopied);
    } catch {
      notify(words.copyFailed, { tone: 'danger' });
    }
  }

  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} label={words.actions} />}>
        <MenuItem icon={Copy} onSelect={() => void copyLink()}>
          {words.copyLink}
        </MenuItem>
        {mayDelete ? (
          <>
            <MenuSeparator />
            <MenuItem icon={Trash2} tone="danger" onSelect={() => setConfirming(true)}>
              {words.delete}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.deleteTitle(title)}
        action={words.delete}
        onConfirm={() => {
          remove.mutate({ id, title });
          onDeleted();
        }}
      >
        <p>{words.deleteHint}</p>
      </ConfirmDialog>
    </>
  );
}

function DrawerSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-9 w-4/5" />
        <Skeleton className="h-36" />
        <Skeleton className="h-20" />
        <Skeleton className="h-12" />
      </div>
    </Loading>
  );
}
