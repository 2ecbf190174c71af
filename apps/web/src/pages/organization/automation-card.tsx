import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/organization.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

const { automation: words } = texts;

/** Leads to the service accounts of the team, and to the API keys of its members. */
export default function AutomationCard(): ReactNode {
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to="/settings/member-keys" className={buttonClass()}>
            {words.memberKeys}
          </Link>
          <Link to="/settings/service-accounts" className={buttonClass()}>
            {words.serviceAccounts}
          </Link>
        </div>
      }
    />
  );
}
