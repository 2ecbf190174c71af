import type { User } from '@atelier/client';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { texts } from '../../texts/profile.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

const { email: words } = texts;

const EmailDialog = lazyDialog(() => import('./email-dialog.tsx'));

/** Shows the address that the user signs in with, and changes it. */
export function EmailSection({ user: { email } }: { readonly user: User }): ReactNode {
  const [isChanging, setChanging] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  return (
    <>
      <Section
        title={words.title}
        hint={words.hint}
        actions={<Button onClick={() => setChanging(true)}>{words.change}</Button>}
      >
        <p className="font-medium wrap-anywhere">{email}</p>
        {sentTo ? (
          <p
            role="status"
            className="mt-3 rounded-md bg-success-soft px-3 py-2 wrap-anywhere text-success"
          >
            {words.sent(sentTo)}
          </p>
        ) : null}
      </Section>
      <Suspense>
        {isChanging ? (
          <EmailDialog
            onClose={() => setChanging(false)}
            onSent={(newEmail) => {
              setChanging(false);
              setSentTo(newEmail);
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}
