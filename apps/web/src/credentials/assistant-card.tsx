import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/api-keys.ts';
import { buttonClass } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { AssistantDetails } from './assistant-details.tsx';

const words = texts.assistant;

/** Says how an assistant is connected, with any of the keys. */
export default function AssistantCard(): ReactNode {
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <Link to="/approvals" className={buttonClass()}>
          {words.approvals}
        </Link>
      }
    >
      <AssistantDetails />
    </Section>
  );
}
