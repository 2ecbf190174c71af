import type { Organization } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { accountKeys } from '../../session/account.ts';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/organization.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { shortDate } from '../../ui/time-format.ts';

const { security: words } = texts;

/** Decides whether members need a second factor. */
export default function SecurityCard({
  organization: { id, secondFactorRequiredFrom },
}: {
  readonly organization: Organization;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const change = useOrganizationMutation({
    change: (requireSecondFactor: boolean) =>
      api.organizations.updateSecurityPolicy({ params: { id }, body: { requireSecondFactor } }),
    invalidates: [['timeline']],
    onDone({ secondFactorRequiredFrom: from }) {
      setAsking(false);
      notify(from ? words.required : words.notRequired);
      void client.invalidateQueries({ queryKey: accountKeys.organizations });
    },
    // The dialog shows the error.
    onFailed() {},
  });
  const isRequired = secondFactorRequiredFrom !== null;
  const asked = isRequired ? words.ending : words.asking;
  return (
    <>
      <Section
        title={words.title}
        hint={isRequired ? words.since(shortDate(secondFactorRequiredFrom)) : words.hint}
        actions={
          <Button
            onClick={() => {
              change.reset();
              setAsking(true);
            }}
          >
            {asked.action}
          </Button>
        }
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={asked.title}
        action={asked.action}
        isBusy={change.isPending}
        error={change.error ? errorText(change.error) : undefined}
        onConfirm={() => change.mutate(!isRequired)}
      >
        {asked.text}
      </ConfirmDialog>
    </>
  );
}
