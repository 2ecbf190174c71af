import type { Data } from '@atelier/client';
import { passkeysSupported } from '@atelier/client/passkeys';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/passkeys.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

const AddPasskeyDialog = lazyDialog(() => import('./add-passkey-dialog.tsx'));
const RenamePasskeyDialog = lazyDialog(() => import('./rename-passkey-dialog.tsx'));

type Passkey = Data<'security.overview'>['passkeys'][number];

interface PasskeysSectionProps {
  readonly passkeys: readonly Passkey[];
  /** Whether the codes of an authenticator app are on, the other second factor. */
  readonly hasCodes: boolean;
}

/** Lists the passkeys of the account; adds, renames and removes them. */
export function PasskeysSection({ passkeys, hasCodes }: PasskeysSectionProps): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const isSupported = passkeysSupported();
  return (
    <>
      <Section
        title={texts.title}
        hint={texts.hint}
        actions={isSupported ? <Button onClick={() => setAdding(true)}>{texts.add}</Button> : null}
      >
        {passkeys.length === 0 ? (
          <p className="text-ink-muted">{isSupported ? texts.none : texts.unsupported}</p>
        ) : null}
        <ul className="-my-1 divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isLastFactor={passkeys.length === 1 && !hasCodes}
            />
          ))}
        </ul>
      </Section>
      <Suspense>
        {isAdding ? (
          <AddPasskeyDialog
            onClose={() => setAdding(false)}
            onAdded={(recoveryCodes) => {
              setAdding(false);
              setCodes(recoveryCodes ?? undefined);
            }}
          />
        ) : null}
      </Suspense>
      {codes ? <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </>
  );
}

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly isLastFactor: boolean;
}

function PasskeyRow({ passkey, isLastFactor }: PasskeyRowProps): ReactNode {
  const { id, name, isBackedUp, createdAt, lastUsedAt } = passkey;
  const [isRenaming, setRenaming] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const remove = useOrganizationMutation({
    change: () => api.security.removePasskey({ params: { id } }),
    invalidates: [['security']],
    onDone: () => notify(texts.removing.done),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere">{name}</span>
          {isBackedUp ? <Badge>{texts.synced}</Badge> : null}
        </p>
        <p className="text-sm text-ink-muted">
          {texts.created} <Time at={createdAt} />,{' '}
          {lastUsedAt ? (
            <>
              {texts.lastUsed} <Time at={lastUsedAt} />
            </>
          ) : (
            texts.neverUsed
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={texts.renameLabel(name)} onClick={() => setRenaming(true)}>
          {texts.rename}
        </Button>
        <Button size="sm" aria-label={texts.removeLabel(name)} onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={texts.removing.title(name)}
        action={texts.remove}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        {isLastFactor ? texts.removing.last : texts.removing.text}
      </ConfirmDialog>
      <Suspense>
        {isRenaming ? (
          <RenamePasskeyDialog passkey={passkey} onClose={() => setRenaming(false)} />
        ) : null}
      </Suspense>
    </li>
  );
}
