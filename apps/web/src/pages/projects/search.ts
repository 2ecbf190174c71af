import type { ProjectStatus } from '@atelier/client';
import { oneOf } from '../../ui/options.ts';

export const projectOrders = ['position', 'name', '-updatedAt', '-createdAt'] as const;
export type ProjectOrder = (typeof projectOrders)[number];

/** Search parameters of this page. */
export interface ProjectsSearch {
  /** Default: active. */
  readonly status?: ProjectStatus | undefined;
  readonly q?: string | undefined;
  readonly sort?: ProjectOrder | undefined;
}

export function validateSearch({ status, q, sort }: Record<string, unknown>): ProjectsSearch {
  return {
    status: status === 'ARCHIVED' ? status : undefined,
    q: (typeof q === 'string' || typeof q === 'number' ? String(q) : '') || undefined,
    sort: oneOf(projectOrders, sort),
  };
}
