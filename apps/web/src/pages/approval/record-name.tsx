import type { Approval } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { visible } from '../../approvals/visible.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { pageOfRecord } from './page-of-record.ts';

interface RecordNameProps {
  readonly record: Approval['records'][number];
  /** Whether the call can still be made: afterwards, the record may be gone. */
  readonly isOpen: boolean;
}

/** Shows the name of a record, as a link if the app has a page of it. */
export function RecordName({ record, isOpen }: RecordNameProps): ReactNode {
  const queries = useOrganizationQueries();
  const task = useQuery({
    ...queries.tasks.get.queryOptions({ params: { id: record.id } }),
    enabled: isOpen && record.resourceType === 'task',
    // Only for its project, which it never leaves. Once the call is made, there is no task to refetch.
    staleTime: 'static',
  });
  const page = isOpen ? pageOfRecord(record, task.data?.projectId) : null;
  const name = visible(record.name);
  if (!page) return <bdi className="font-medium">{name}</bdi>;
  return (
    <Link
      dir="auto"
      to={page.path}
      search={page.search}
      className="font-medium underline underline-offset-4 hover:text-accent"
    >
      {name}
    </Link>
  );
}
