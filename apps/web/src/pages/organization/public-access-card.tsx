import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/organization.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

const { publicAccess: words } = texts;

/** Leads to what outsiders can see of the organization. */
export default function PublicAccessCard(): ReactNode {
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <Link to="/settings/public" className={buttonClass()}>
          {words.manage}
        </Link>
      }
    />
  );
}
