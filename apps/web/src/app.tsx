import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { router } from './router.tsx';
import { queryClient } from './session/query-client.ts';
import { followSession } from './session/session.ts';
import { texts } from './texts/session.ts';
import { Notices, notify } from './ui/notices.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

export function App(): ReactNode {
  useEffect(
    () =>
      followSession({
        onBegin() {
          const { redirect } = router.state.location.search;
          if (router.state.location.pathname === '/login') router.history.replace(redirect ?? '/');
        },
        onEnd(reason) {
          const here = router.state.location;
          const isInside = router.state.matches.some((match) => match.routeId === '/shell');
          if (!isInside) return;
          // Who comes back after an expiry goes on with theirs.
          if (reason !== 'expired') void abandonUploads();
          notify(texts.ended[reason], { tone: 'info' });
          const search = reason === 'own' || here.href === '/' ? {} : { redirect: here.href };
          void router.navigate({ to: '/login', search });
        },
      }),
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider delayDuration={400}>
        <RouterProvider router={router} />
        <Notices />
      </TooltipProvider>
    </QueryClientProvider>
  );
}

async function abandonUploads(): Promise<void> {
  const uploads = await import('./uploads/uploads.ts');
  await uploads.abandonUploads();
}
