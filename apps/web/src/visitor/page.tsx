import { openShare, type ShareVisit } from '@atelier/client/shares';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { api } from './api.ts';
import { lazyPart } from '../loading/lazy.tsx';
import { texts } from '../texts/share.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { useDocumentTitle } from '../ui/page.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { isShareGone, needsPassword, shareErrorText } from './errors.ts';
import { ShareFrame } from './frame.tsx';
import { SharedAssets } from './shared-assets.tsx';
import { forgetShareToken, takeShareToken } from './token.ts';

/** Shows what a link shares, to people with or without an account. */
export function SharePage(): ReactNode {
  useDocumentTitle(texts.documentTitle);
  const [token, setToken] = useState(takeShareToken);
  useEffect(() => {
    // Another link that is opened in the same tab differs only behind the `#`.
    const update = () => setToken(takeShareToken());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  if (token === null) {
    return <ShareFrame title={texts.incomplete.title}>{texts.incomplete.hint}</ShareFrame>;
  }
  return <Share key={token} token={token} />;
}

// Most links have none.
const SharePassword = lazyPart(() => import('./password.tsx'));

let lastNumber = 0;

/** The cache has a number for each visit, and never a token. */
const numbered = (visit: ShareVisit) => ({ visit, number: ++lastNumber });

function Share({ token }: { readonly token: string }): ReactNode {
  const [opening] = useState(() => ++lastNumber);
  const [withPassword, setWithPassword] = useState<ReturnType<typeof numbered>>();
  const [failure, setFailure] = useState<unknown>();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['share', opening],
    queryFn: async () => numbered(await openShare(api, { token })),
    enabled: withPassword === undefined,
    // Each opening counts.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.data === undefined,
    structuralSharing: false,
  });
  const problem = failure ?? error;
  const isGone = isShareGone(problem);
  useEffect(() => {
    if (isGone) forgetShareToken();
  }, [isGone]);
  if (isGone) return <ShareFrame title={texts.ended.title}>{texts.ended.hint}</ShareFrame>;
  const opened = withPassword ?? data;
  if (needsPassword(problem) && (failure !== undefined || !opened)) {
    const onOpened = (visit: ShareVisit) => {
      setFailure(undefined);
      setWithPassword(numbered(visit));
    };
    return (
      <Suspense fallback={<Opening />}>
        <SharePassword token={token} onOpened={onOpened} onFailed={setFailure} />
      </Suspense>
    );
  }
  if (opened) return <SharedAssets key={opened.number} {...opened} onFailed={setFailure} />;
  if (problem) {
    return (
      <ShareFrame title={shared.loadFailed}>
        <p role="alert">{shareErrorText(problem)}</p>
        <Button className="mt-5 w-full" isBusy={isFetching} onClick={() => void refetch()}>
          {shared.retry}
        </Button>
      </ShareFrame>
    );
  }
  return <Opening />;
}

function Opening(): ReactNode {
  return (
    <ShareFrame title={texts.opening}>
      <Loading>
        <Skeleton className="h-9" />
      </Loading>
    </ShareFrame>
  );
}
