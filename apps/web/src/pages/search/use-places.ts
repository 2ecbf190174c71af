import type { SearchHit } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { placeOf } from '../../search/places.ts';
import { rememberRecent } from '../../search/recent.ts';
import { organizationsQuery, useOrganization, useUser } from '../../session/account.ts';
import { switchOrganization } from '../../session/switch-organization.ts';

export interface HitPlace {
  /** Address within the app. */
  readonly href: string;
  /** Opens it, in the organization of the hit. */
  readonly open: () => void;
  /** The organization, if it is another one than the selected. */
  readonly organizationName: string | null;
}

/** Returns a function that gives the page of a hit. */
export function usePlaces(): (hit: SearchHit) => HitPlace {
  const router = useRouter();
  const navigate = useNavigate();
  const userId = useUser()?.id;
  const selected = useOrganization()?.id;
  const { data: organizations = [] } = useQuery(organizationsQuery);
  return (hit) => {
    const { path, search } = placeOf(hit);
    const isHere = hit.organizationId === selected;
    const organization = organizations.find(({ id }) => id === hit.organizationId);
    const id = organization?.type === 'PERSONAL' ? null : hit.organizationId;
    return {
      href: router.buildLocation({ to: path, search }).href,
      organizationName: isHere ? null : (organization?.name ?? null),
      open() {
        if (userId !== undefined) rememberRecent(userId, hit);
        if (isHere) return void navigate({ to: path, search });
        void switchOrganization(id, () => navigate({ to: path, search, ignoreBlocker: true }));
      },
    };
  };
}
