import type { MemberApiKey } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { KeySummary } from '../../credentials/key-summary.tsx';
import { api } from '../../session/api.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/member-keys.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/notices.tsx';

const words = texts.excluding;

interface MemberKeyRowProps {
  readonly organizationId: string;
  readonly apiKey: MemberApiKey;
}

/** Shows one key of a member, and excludes it from the team. */
export function MemberKeyRow({ organizationId, apiKey }: MemberKeyRowProps): ReactNode {
  const { id: keyId, name, owner, isRefused } = apiKey;
  const [isAsking, setAsking] = useState(false);
  const exclude = useOrganizationMutation({
    change: (_: void, options) =>
      api.apiKeys.exclude({ params: { id: organizationId, keyId } }, options),
    invalidates: [['apiKeys'], ['timeline']],
    onDone() {
      setAsking(false);
      notify(words.done(name));
    },
  });
  return (
    <KeySummary apiKey={apiKey} about={texts.owner(owner.displayName, owner.email)}>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {isRefused ? <Badge tone="warning">{texts.refused}</Badge> : null}
        <Button size="sm" aria-label={texts.excludeLabel(name)} onClick={() => setAsking(true)}>
          {texts.exclude}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.title(name)}
        action={words.action}
        isBusy={exclude.isPending}
        onConfirm={() => exclude.mutate()}
      >
        <p>{words.text(owner.displayName)}</p>
      </ConfirmDialog>
    </KeySummary>
  );
}
