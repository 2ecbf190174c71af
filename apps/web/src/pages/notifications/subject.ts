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

/** Their pages are the same in every organization. */
const ofNoOrganization: ReadonlySet<string> = new Set(['account', 'api_key']);

/** Returns a function that gives the page of a notification's subject; null without one. */
export function usePlaceOf(): (notification: Notification) => Place | null {
  const navigate = useNavigate();
  const selected = useOrganization()?.id;
  const { data: organizations = [] } = useQuery(organizationsQuery);
  return ({ reason, subject, organization }) => {
    const href = subject.link ?? (reason === 'role_changed' ? '/' : null);
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
    const isHere = organization.id === selected || ofNoOrganization.has(subject.type);
    return {
      href,
      open: () =>
        void (isHere
          ? go(false)
          : switchOrganization(isPersonal ? null : organization.id, () => go(true))),
    };
  };
}
