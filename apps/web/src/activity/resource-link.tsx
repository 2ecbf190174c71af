import type { Activity } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { resourcePage } from './resource-page.ts';

interface ResourceLinkProps {
  readonly activity: Activity;
  /** Only a resource of the selected organization has a page to link to. */
  readonly isInSelectedOrganization: boolean;
}

/** Shows the name of an activity's resource, as a link if the resource has a page. */
export function ResourceLink({ activity, isInSelectedOrganization }: ResourceLinkProps): ReactNode {
  const page =
    isInSelectedOrganization && !activity.action.endsWith('.delete')
      ? resourcePage(activity)
      : null;
  if (!page) return <bdi className="font-medium">{activity.resourceName}</bdi>;
  return (
    <Link
      dir="auto"
      to={page.path}
      search={page.search}
      className="font-medium underline-offset-4 hover:text-accent hover:underline"
    >
      {activity.resourceName}
    </Link>
  );
}
