import type { Project } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../session/api.ts';
import { useComposedQuery, useOrganizationQueries } from '../session/queries.ts';

/** Returns all projects of the organization, by name; empty while loading. */
export function useProjects({ enabled = true } = {}): readonly Project[] {
  const { data } = useComposedQuery({
    key: ['projects', 'all'],
    async read(options) {
      // A list, not a map: what is kept for times without a network is stored as JSON.
      const projects: Project[] = [];
      const all = api.projects.list.iterate({ query: { limit: 100, sort: 'name' } }, options);
      for await (const project of all) projects.push(project);
      return projects;
    },
    enabled,
  });
  return data ?? none;
}

const none: readonly Project[] = [];

/** Tells whether a project takes new tasks, which an archived one doesn't; true until it is known. */
export function useTakesTasks(id: string): boolean {
  const { projects } = useOrganizationQueries();
  return useQuery(projects.get.queryOptions({ params: { id } })).data?.status !== 'ARCHIVED';
}
