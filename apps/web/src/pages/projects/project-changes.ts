import type { Project, ProjectPage, ProjectPositionBody, ProjectStatus } from '@atelier/client';
import type { InfiniteData, UseMutationResult } from '@tanstack/react-query';
import { api } from '../../session/api.ts';
import { topicKey, useOrganizationMutation, type TopicKey } from '../../session/queries.ts';

const invalidates: readonly TopicKey[] = [['projects'], ['dashboard']];

export interface ProjectUpdate {
  readonly id: string;
  readonly patch: {
    readonly name?: string;
    readonly description?: string | null;
    readonly status?: ProjectStatus;
  };
}

/** Changes fields of a project. */
export function useUpdateProject(
  onDone?: (project: Project) => void,
): UseMutationResult<Project, Error, ProjectUpdate> {
  return useOrganizationMutation({
    change: ({ id, patch }: ProjectUpdate, options) =>
      api.projects.update({ params: { id }, body: patch }, options),
    invalidates,
    onDone,
  });
}

export interface ProjectMove {
  readonly id: string;
  readonly place: ProjectPositionBody;
}

/** Moves a project in the list, with an optimistic update. */
export function useMoveProject(): UseMutationResult<Project, Error, ProjectMove> {
  return useOrganizationMutation({
    change: ({ id, place }: ProjectMove, options) =>
      api.projects.move({ params: { id }, body: place }, options),
    invalidates: [['projects']],
    optimistic: (cache, move) =>
      cache.setQueriesData<InfiniteData<ProjectPage> | ProjectPage>(
        { queryKey: topicKey(['projects', 'list']) },
        (list) => (list && 'pages' in list ? reordered(list, move) : list),
      ),
  });
}

/** Returns the pages with the project at its new position; every page keeps its length. */
function reordered(
  list: InfiniteData<ProjectPage>,
  { id, place }: ProjectMove,
): InfiniteData<ProjectPage> {
  const all = list.pages.flatMap((page) => page.items);
  const project = all.find((one) => one.id === id);
  const others = all.filter((one) => one.id !== id);
  const anchor = others.findIndex((one) => one.id === (place.beforeId ?? place.afterId));
  if (!project || anchor === -1) return list;
  const next = others.toSpliced(place.beforeId ? anchor : anchor + 1, 0, project);
  let start = 0;
  const pages = list.pages.map((page) => {
    const items = next.slice(start, start + page.items.length);
    start += page.items.length;
    return { ...page, items };
  });
  return { ...list, pages };
}
