import type { Data } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

const { providers: words } = texts;

type Identity = Data<'security.overview'>['identities'][number];

/** Lists the providers whose sign-in opens the account, and disconnects them. */
export function ProvidersSection({
  identities,
}: {
  readonly identities: readonly Identity[];
}): ReactNode {
  return (
    <Section title={words.title} hint={words.hint}>
      {identities.length === 0 ? <p className="text-ink-muted">{words.none}</p> : null}
      <ul className="-my-1 divide-y divide-line">
        {identities.map((identity) => (
          <Provider key={identity.provider} identity={identity} />
        ))}
      </ul>
    </Section>
  );
}

function Provider({
  identity: { provider, createdAt },
}: {
  readonly identity: Identity;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const name = words.names[provider];
  const disconnect = useOrganizationMutation({
    change: () => api.security.removeIdentity({ params: { provider } }),
    invalidates: [['security']],
    onDone: () => notify(words.disconnecting.done(name)),
    // The dialog shows the error.
    onFailed() {},
  });
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div>
        <p className="font-medium">{name}</p>
        <p className="text-sm text-ink-muted">
          {words.linked} <Time at={createdAt} />
        </p>
      </div>
      <Button
        size="sm"
        aria-label={words.disconnectLabel(name)}
        onClick={() => {
          disconnect.reset();
          setAsking(true);
        }}
      >
        {words.disconnect}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.disconnecting.title(name)}
        action={words.disconnect}
        isBusy={disconnect.isPending}
        error={disconnect.error ? errorText(disconnect.error) : undefined}
        onConfirm={() => disconnect.mutate(undefined)}
      >
        {words.disconnecting.text}
      </ConfirmDialog>
    </li>
  );
}
