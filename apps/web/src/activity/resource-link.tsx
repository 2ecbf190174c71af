import type { Activity } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ResourceLinkProps {
  readonly activity: Activity;
  /** Whether it belongs to the selected organization: only there its page can be shown. */
  readonly isHere: boolean;
}

const linkClass = 'font-medium underline-offset-4 hover:text-accent hover:underline';

/** The name of what an activity is about; leads to its page while it has one. */
export function ResourceLink({ activity, isHere }: ResourceLinkProps): ReactNode {
  const { resourceType, resourceId: id, resourceName, action, metadata } = activity;
  const name = <span className="font-medium">{resourceName}</span>;
  if (!isHere || action.endsWith('.delete')) return name;
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
