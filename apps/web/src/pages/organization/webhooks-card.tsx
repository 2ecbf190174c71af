import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/organization.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

const { webhooks: words } = texts;

/** Leads to the webhooks of the organization. */
export default function WebhooksCard(): ReactNode {
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <Link to="/settings/webhooks" className={buttonClass()}>
          {words.manage}
        </Link>
      }
    />
  );
}
