import type { Approval } from '@atelier/client';

interface RecordPage {
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
}

type Named = Pick<Approval['records'][number], 'resourceType' | 'id' | 'name'>;

/**
 * Returns the page of a record; null if it has none.
 *
 * @param projectId - of a task; undefined while it isn't known
 */
export function pageOfRecord(
  { resourceType, id, name }: Named,
  projectId?: string,
): RecordPage | null {
  switch (resourceType) {
    case 'organization':
      return { path: '/settings/organization', search: {} };
    case 'member':
      return { path: '/settings/members', search: { q: name } };
    case 'invitation':
      return { path: '/settings/members', search: { tab: 'invitations' } };
    case 'collection':
      return { path: `/collections/${id}`, search: {} };
    case 'asset':
      return { path: `/assets/${id}`, search: {} };
    case 'project':
      return { path: `/projects/${id}`, search: {} };
    case 'task':
      return projectId === undefined
        ? null
        : { path: `/projects/${projectId}`, search: { task: id } };
    default:
      return null;
  }
}
