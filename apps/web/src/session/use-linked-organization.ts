import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { organizationsQuery, useOrganization } from './account.ts';
import { selectOrganization } from './selected-organization.ts';

/** `foreign`: the user isn't a member. */
type Selection = 'pending' | 'selected' | 'foreign';

/**
 * Selects the organization that a link names. Only once: when the user loses access to it meanwhile, the selection of
 * another one stays.
 *
 * @param linkedId - undefined if the link names none
 */
export function useLinkedOrganization(linkedId: string | undefined): Selection {
  const { data: organizations } = useQuery(organizationsQuery);
  const selectedId = useOrganization()?.id;
  const [followedId, setFollowedId] = useState<string>();
  const linked = organizations?.find(({ id }) => id === linkedId);
  useEffect(() => {
    if (!linked) return;
    selectOrganization(linked.type === 'PERSONAL' ? null : linked.id);
    setFollowedId(linked.id);
  }, [linked?.id, linked?.type]);
  if (linkedId === undefined || followedId === linkedId || selectedId === linkedId) {
    return 'selected';
  }
  return organizations && !linked ? 'foreign' : 'pending';
}
