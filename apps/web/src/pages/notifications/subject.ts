import type { Notification } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { organizationsQuery, useOrganization } from '../../session/account.ts';
import { switchOrganization } from '../../session/switch-organization.ts';

interface Place {
  /** Address within the app. */
  readonly href: string;
  /** Opens it, in the organization of the notification. */
  readonly open: () => void;
}

/** Returns a function that gives the page of a notification's subject; null without one. */
export function usePlaceOf(): (notification: Notification) => Place | null {
  const navigate = useNavigate();
  const selected = useOrganization()?.id;
  const { data: organizations = [] } = useQuery(organizationsQuery);
  return ({ reason, subject, organization }) => {
    // Whoever was removed has no page there.
    const href = subject.link ?? (reason === 'removed' ? null : '/');
    if (href === null) return null;
    const { pathname, searchParams } = new URL(href, location.origin);
    const go = (isSwitching: boolean) =>
      navigate({
        to: pathname,
        search: Object.fromEntries(searchParams),
        ...(isSwitching && { ignoreBlocker: true }),
      });
    const isPersonal = organizations.some(
      ({ id, type }) => id === organization.id && type === 'PERSONAL',
    );
    return {
      href,
      open: () =>
        void (organization.id === selected
          ? go(false)
          : switchOrganization(isPersonal ? null : organization.id, () => go(true))),
    };
  };
}
