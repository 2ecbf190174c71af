import type { Export } from '@atelier/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { askToConfirm } from '../../session/confirmed.ts';
import { accountQueries, useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ByteSize } from '../../ui/byte-size.tsx';
import { Load } from '../../ui/load.tsx';
import { notifyFailure } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { shortDate } from '../../ui/time-format.ts';
import { downloadFrom } from '../../ui/unload-warning.ts';

const { dataExport: words } = texts;

/** How often the page asks for an export that is being prepared. */
const pollMs = 2_000;

/** Exports the user's data. The page finds an export again that is being prepared. */
export function ExportSection(): ReactNode {
  const latest = useQuery({
    ...accountQueries.account.latestExport.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.export?.status === 'PENDING' ? pollMs : false),
  });
  const request = useOrganizationMutation({
    change: () => api.account.requestExport(),
    invalidates: [['account']],
  });
  const isPending = latest.data?.export?.status === 'PENDING';
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <Button isBusy={request.isPending || isPending} onClick={() => request.mutate(undefined)}>
          {words.start}
        </Button>
      }
    >
      <Load query={latest} skeleton={<ExportSkeleton />}>
        {({ export: found }) => (found ? <LatestExport found={found} /> : null)}
      </Load>
    </Section>
  );
}

function LatestExport({ found }: { readonly found: Export }): ReactNode {
  switch (found.status) {
    case 'PENDING':
      return (
        <p role="status" className="flex flex-wrap items-center gap-2">
          <Badge tone="neutral">{words.pending}</Badge>
          <span className="text-sm text-ink-muted">{words.mailed}</span>
        </p>
      );
    case 'READY':
      return <ReadyExport found={found} />;
    case 'FAILED':
      return <p className="text-ink-muted">{words.failed}</p>;
    case 'EXPIRED':
      return <p className="text-ink-muted">{words.expired}</p>;
  }
}

function ReadyExport({ found }: { readonly found: Export }): ReactNode {
  const { id, createdAt, expiresAt, sizeBytes } = found;
  const download = useMutation({
    mutationFn: () => urlOf(id),
    onSuccess(url) {
      if (url !== null) downloadFrom(url);
    },
    onError: notifyFailure,
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="success">{words.ready}</Badge>
        <span className="text-sm text-ink-muted">
          {words.of(shortDate(createdAt))}
          {sizeBytes === null ? null : (
            <>
              {' · '}
              <ByteSize bytes={sizeBytes} />
            </>
          )}
          {expiresAt === null ? null : ` · ${words.until(shortDate(expiresAt))}`}
        </span>
      </p>
      <Button icon={Download} isBusy={download.isPending} onClick={() => download.mutate()}>
        {words.download}
      </Button>
    </div>
  );
}

/** Asks the user to confirm if the session isn't. @returns null if they don't */
async function urlOf(id: string): Promise<string | null> {
  const { url } = await api.account.getExport({ params: { id } });
  if (url !== null || !(await askToConfirm())) return url;
  return (await api.account.getExport({ params: { id } })).url;
}

function ExportSkeleton(): ReactNode {
  return (
    <Loading>
      <Skeleton className="h-6" />
    </Loading>
  );
}
