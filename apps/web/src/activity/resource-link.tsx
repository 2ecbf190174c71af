import type { Activity } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ResourceLinkProps {
  readonly activity: Activity;
  /** Only a resource of the selected organization has a page to link to. */
  readonly isInSelectedOrganization: boolean;
}

const linkClass = 'font-medium underline-offset-4 hover:text-accent hover:underline';

/** Shows the name of an activity's resource, as a link if the resource has a page. */
export function ResourceLink({ activity, isInSelectedOrganization }: ResourceLinkProps): ReactNode {
  const { resourceType, resourceId: id, resourceName, action, metadata } = activity;
  const name = <span className="font-medium">{resourceName}</span>;
  if (!isInSelectedOrganization || action.endsWith('.delete')) return name;
  if (resourceType === 'collection') {
    return (
      <Link to="/collections/$id" params={{ id }} className={linkClass}>
        {resourceName}
      </Link>
    );
  }
  if (resourceType === 'asset') {
    return (
      <Link to="/assets/$id" params={{ id }} className={linkClass}>
        {resourceName}
      </Link>
    );
  }
  if (resourceType === 'project') {
    return (
      <Link to="/projects/$id" params={{ id }} className={linkClass}>
        {resourceName}
      </Link>
    );
  }
  const projectId = metadata['projectId'];
  if (resourceType === 'task' && typeof projectId === 'string') {
    return (
      <Link
        to="/projects/$id"
        params={{ id: projectId }}
        search={{ task: id }}
        className={linkClass}
      >
        {resourceName}
      </Link>
    );
  }
  return name;
}
