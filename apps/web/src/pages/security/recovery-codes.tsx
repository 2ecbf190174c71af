import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

const { recoveryCodes: words } = texts;

/** From here on, the number of codes is shown as a warning. */
const fewCodes = 3;

/** Tells how many recovery codes are left, and replaces them. */
export function RecoveryCodesSection({ left }: { readonly left: number }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useOrganizationMutation({
    change: () => api.security.renewRecoveryCodes(),
    invalidates: [['security']],
    onDone({ recoveryCodes }) {
      setAsking(false);
      setCodes(recoveryCodes);
    },
  });
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={<Button onClick={() => setAsking(true)}>{words.replace}</Button>}
    >
      <Badge tone={left <= fewCodes ? 'warning' : 'neutral'}>{words.left(left)}</Badge>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.replacing.title}
        action={words.replace}
        isBusy={renew.isPending}
        onConfirm={() => renew.mutate(undefined)}
      >
        {words.replacing.text}
      </ConfirmDialog>
      {codes ? <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </Section>
  );
}
