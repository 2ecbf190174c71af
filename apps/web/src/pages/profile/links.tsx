import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/profile.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

const { notifications, security, apiKeys } = texts;

/** Leads to what the user is notified of. */
export function NotificationsSection(): ReactNode {
  return (
    <Section
      title={notifications.title}
      hint={notifications.hint}
      actions={
        <Link to="/settings/notifications" className={buttonClass()}>
          {notifications.manage}
        </Link>
      }
    />
  );
}

/** Leads to what protects the account. */
export function SecuritySection(): ReactNode {
  return (
    <Section
      title={security.title}
      hint={security.hint}
      actions={
        <Link to="/settings/security" className={buttonClass()}>
          {security.manage}
        </Link>
      }
    />
  );
}

/** Leads to the user's API keys. */
export function ApiKeysSection(): ReactNode {
  return (
    <Section
      title={apiKeys.title}
      hint={apiKeys.hint}
      actions={
        <Link to="/settings/api-keys" className={buttonClass()}>
          {apiKeys.manage}
        </Link>
      }
    />
  );
}
