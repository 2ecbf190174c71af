import type { Project } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, GripVertical, MoreHorizontal } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import { texts } from '../../texts/projects.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { Edge } from '../../ui/drag.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import type { DragAndDrop } from '../../ui/use-drag.ts';
import { Progress } from './progress.tsx';
import type { ProjectDialog } from './project-dialog.tsx';
import { ProjectMenuItems } from './project-menu.tsx';

interface ProjectRowProps {
  readonly project: Project;
  /** Undefined if the order can't be changed. */
  readonly drag: DragAndDrop | undefined;
  readonly canOrder: boolean;
  readonly onStep: (id: string, direction: 'up' | 'down') => void;
  readonly onOpen: (dialog: ProjectDialog) => void;
}

/** Shows a project that can be moved by its drag handle and its menu. */
export function ProjectRow({
  project,
  drag,
  canOrder,
  onStep,
  onOpen,
}: ProjectRowProps): ReactNode {
  const { id, name, key, description, taskCounts, updatedAt } = project;
  const mayEdit = useHasRole('MEMBER');
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [handle, setHandle] = useState<HTMLElement | null>(null);
  const [isDragging, setDragging] = useState(false);
  const [edge, setEdge] = useState<Edge | null>(null);
  useEffect(() => {
    if (!drag || !element || !handle) return undefined;
    const kind = 'project';
    return drag.dragItem({ element, kind, id, handle, onDragging: setDragging, onEdge: setEdge });
  }, [drag, element, handle, id]);

  return (
    <li
      ref={setElement}
      data-project={id}
      className={classNames(
        'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 px-4 py-3.5 not-last:border-b border-line hover:bg-hover/60',
        'md:grid-cols-[minmax(0,1fr)_11rem_7rem_auto]',
        isDragging && 'opacity-40',
      )}
    >
      {edge ? (
        <span
          aria-hidden
          className={classNames(
            'absolute inset-x-0 z-1 h-0.5 bg-accent',
            edge === 'before' ? '-top-px' : '-bottom-px',
          )}
        />
      ) : null}
      <div className="col-start-1 row-start-1 flex min-w-0 items-center gap-3 md:col-start-auto md:row-start-auto">
        {canOrder ? (
          <span
            ref={setHandle}
            aria-hidden
            title={texts.dragHandle(name)}
            className="relative z-1 -ml-2 hidden cursor-grab text-ink-muted sm:inline-flex"
          >
            <GripVertical className="size-4" />
          </span>
        ) : null}
        <div className="min-w-0">
          <div className="flex min-w-0 items-center gap-2">
            <Link
              dir="auto"
              to="/projects/$id"
              params={{ id }}
              draggable={false}
              className="truncate font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {name}
            </Link>
            <Badge>{key}</Badge>
          </div>
          {description ? (
            <p dir="auto" className="truncate text-sm text-ink-muted">
              {description}
            </p>
          ) : null}
        </div>
      </div>
      <div className="col-span-2 row-start-2 md:col-span-1 md:row-start-auto">
        <Progress counts={taskCounts} />
      </div>
      <p className="hidden text-right text-sm text-ink-muted md:block">
        <span className="sr-only">{texts.changed} </span>
        <span className="relative z-1">
          <Time at={updatedAt} />
        </span>
      </p>
      {mayEdit ? (
        <div className="relative z-1 col-start-2 row-start-1 md:col-start-auto md:row-start-auto">
          <Menu trigger={<IconButton icon={MoreHorizontal} label={texts.actions(name)} />}>
            {canOrder ? (
              <>
                <MenuItem icon={ArrowUp} onSelect={() => onStep(id, 'up')}>
                  {texts.moveUp}
                </MenuItem>
                <MenuItem icon={ArrowDown} onSelect={() => onStep(id, 'down')}>
                  {texts.moveDown}
                </MenuItem>
                <MenuSeparator />
              </>
            ) : null}
            <ProjectMenuItems project={project} onOpen={onOpen} />
          </Menu>
        </div>
      ) : null}
    </li>
  );
}
