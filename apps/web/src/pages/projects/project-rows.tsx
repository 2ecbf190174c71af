import type { Project } from '@atelier/client';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../../texts/projects.ts';
import type { Drop } from '../../ui/drag.ts';
import { useDragAndDrop } from '../../ui/use-drag.ts';
import { useMoveProject } from './project-changes.ts';
import type { ProjectDialog } from './project-dialog.tsx';
import { ProjectRow } from './project-row.tsx';

interface ProjectRowsProps {
  readonly projects: readonly Project[];
  readonly canOrder: boolean;
  readonly onOpen: (dialog: ProjectDialog) => void;
}

/** Lists projects, which can be reordered by dragging and by menu. */
export default function ProjectRows({ projects, canOrder, onOpen }: ProjectRowsProps): ReactNode {
  const drag = useDragAndDrop(canOrder);
  const { mutate } = useMoveProject();
  const [announcement, setAnnouncement] = useState('');

  function drop({ id, beside }: Drop): void {
    if (!beside) return;
    const place = beside.edge === 'before' ? { beforeId: beside.id } : { afterId: beside.id };
    mutate({ id, place });
  }
  const latestDrop = useRef(drop);
  useEffect(() => {
    latestDrop.current = drop;
  });
  useEffect(() => drag?.followDrops('project', (dropped) => latestDrop.current(dropped)), [drag]);

  function step(id: string, direction: 'up' | 'down'): void {
    const index = projects.findIndex((project) => project.id === id);
    const to = direction === 'up' ? index - 1 : index + 1;
    const neighbour = projects[to];
    const name = projects[index]?.name;
    if (!neighbour || name === undefined) return;
    const anchor = neighbour.id;
    mutate({ id, place: direction === 'up' ? { beforeId: anchor } : { afterId: anchor } });
    setAnnouncement(texts.moved({ name, position: to + 1, total: projects.length }));
  }

  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ul
        aria-label={texts.list}
        className="overflow-hidden rounded-xl border border-line bg-surface"
      >
        {projects.map((project) => (
          <ProjectRow
            key={project.id}
            project={project}
            drag={drag}
            canOrder={canOrder}
            onStep={step}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </>
  );
}
