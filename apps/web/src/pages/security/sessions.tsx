import type { Item } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Globe, MonitorSmartphone, Smartphone } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { userQuery } from '../../session/account.ts';
import { api } from '../../session/api.ts';
import { accountQueries } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Load } from '../../ui/load.tsx';
import { notify, notifyFailure } from '../../ui/notices.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { Section } from '../../ui/section.tsx';
import { requestSignOut } from '../../unsent/request-sign-out.ts';
import { AccountSwitch } from '../account-switch.tsx';

const { sessions: words } = texts;
const sessionsQuery = accountQueries.sessions.list.queryOptions({ query: { limit: 100 } });
const { queryKey: sessionsKey } = sessionsQuery;

/** Lists the user's sessions and ends them; chooses which sign-ins are emailed. */
export function SessionsSection(): ReactNode {
  const [isConfirming, setConfirming] = useState(false);
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const user = useQuery(userQuery);
  const endOthers = useMutation({
    mutationFn: () => api.sessions.endOthers(),
    onSuccess({ endedCount }) {
      setConfirming(false);
      notify(words.othersEnded(endedCount));
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  });
  const hasOthers = sessions.data?.items.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        hasOthers ? <Button onClick={() => setConfirming(true)}>{words.endOthers}</Button> : null
      }
    >
      <Load query={sessions} skeleton={<SkeletonRows count={2} />}>
        {({ items, pagination }) => (
          <>
            <ul className="-my-1 divide-y divide-line">
              {currentFirst(items).map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {pagination.total > items.length ? (
              <p className="mt-2 text-sm text-ink-muted">
                {words.more(pagination.total - items.length)}
              </p>
            ) : null}
          </>
        )}
      </Load>
      {user.data ? (
        <div className="mt-4 border-t border-line pt-4">
          <AccountSwitch user={user.data} field="mailSignIns" {...words.mails} />
        </div>
      ) : null}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.confirmOthers.title}
        action={words.endOthers}
        isBusy={endOthers.isPending}
        onConfirm={() => endOthers.mutate()}
      >
        {words.confirmOthers.text}
      </ConfirmDialog>
    </Section>
  );
}

type Session = Item<'sessions.list'>;

function currentFirst(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

function methodOf({ signIn }: Session): string {
  if (!signIn) return '';
  const method = words.methods[signIn.method];
  const { secondFactor } = signIn;
  return ` ${words.with(secondFactor ? words.and(method, words.secondFactors[secondFactor]) : method)}`;
}

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const { id, device, ipAddress, createdAt, lastUsedAt, isCurrent } = session;
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.sessions.end({ params: { id } }),
    async onMutate() {
      await client.cancelQueries({ queryKey: sessionsKey });
      editCached(client, { keys: [sessionsKey], ids: [id], edit: () => null });
    },
    onSuccess: () => notify(words.ended),
    onError: notifyFailure,
    // Also after a failure, to restore the removed row.
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  });
  const Icon = iconOf(device);
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="wrap-anywhere">{device}</span>
          {isCurrent ? <Badge tone="accent">{words.current}</Badge> : null}
        </p>
        <p className="text-sm text-ink-muted">
          {ipAddress ? `${ipAddress} · ` : ''}
          {words.lastUsed} <Time at={lastUsedAt} />, {words.signedIn} <Time at={createdAt} />
          {methodOf(session)}
        </p>
      </div>
      {isCurrent ? (
        <Button size="sm" onClick={requestSignOut}>
          {words.signOut}
        </Button>
      ) : (
        <Button size="sm" aria-label={words.endLabel(device)} onClick={() => end.mutate()}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

function iconOf(device: string) {
  if (/android|iphone|ios/i.test(device)) return Smartphone;
  return /windows|linux|mac|chrome ?os/i.test(device) ? MonitorSmartphone : Globe;
}
