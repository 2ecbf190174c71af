import type { Data } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { api } from '../../session/api.ts';
import { topicKey, useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

const { oneTimeCodes: words } = texts;

const EnableCodesDialog = lazyDialog(() => import('./enable-codes-dialog.tsx'));

type Totp = Data<'security.overview'>['totp'];

interface OneTimeCodesSectionProps {
  readonly totp: Totp;
  /** Whether another second factor is left without the codes. */
  readonly hasPasskey: boolean;
}

/** Sets up and turns off the codes of an authenticator app. */
export function OneTimeCodesSection({ totp, hasPasskey }: OneTimeCodesSectionProps): ReactNode {
  const [secret, setSecret] = useState<Data<'security.startTotp'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  const client = useQueryClient();
  const [isDisabling, setDisabling] = useState(false);
  const start = useOrganizationMutation({
    change: () => api.security.startTotp(),
    invalidates: [],
    onDone: setSecret,
  });
  const disable = useOrganizationMutation({
    change: () => api.security.disableTotp(),
    invalidates: [['security']],
    onDone() {
      setDisabling(false);
      notify(words.disabling.done);
    },
  });
  return (
    <>
      <Section
        title={words.title}
        hint={words.hint}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button isBusy={start.isPending} onClick={() => start.mutate(undefined)}>
              {totp ? words.replace : words.enable}
            </Button>
            {totp ? <Button onClick={() => setDisabling(true)}>{words.disable}</Button> : null}
          </div>
        }
      >
        {totp ? (
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone="success">{words.on}</Badge>
            <span className="text-sm text-ink-muted">
              {words.since} <Time at={totp.enabledAt} />
            </span>
          </p>
        ) : null}
      </Section>
      <ConfirmDialog
        isOpen={isDisabling}
        onClose={() => setDisabling(false)}
        title={words.disabling.title}
        action={words.disable}
        isBusy={disable.isPending}
        onConfirm={() => disable.mutate(undefined)}
      >
        {hasPasskey ? words.disabling.text : words.disabling.last}
      </ConfirmDialog>
      <Suspense>
        {secret ? (
          <EnableCodesDialog
            secret={secret}
            onClose={() => setSecret(undefined)}
            onEnabled={(recoveryCodes) => {
              setSecret(undefined);
              setCodes(recoveryCodes);
              void client.invalidateQueries({ queryKey: topicKey(['security']) });
            }}
          />
        ) : null}
      </Suspense>
      {codes ? <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </>
  );
}
