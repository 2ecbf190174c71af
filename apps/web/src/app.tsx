import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { router } from './router.tsx';
import { queryClient } from './session/query-client.ts';
import { watchSession } from './session/session.ts';
import { texts } from './texts/session.ts';
import { dismissAllNotices, Notices, notify } from './ui/notices.tsx';

export function App(): ReactNode {
  useEffect(
    () =>
      watchSession({
        onStart() {
          const { redirect } = router.state.location.search;
          if (router.state.location.pathname === '/login') router.history.replace(redirect ?? '/');
        },
        async onEnd(reason) {
          const here = router.state.location;
          const isInside = router.state.matches.some((match) => match.routeId === '/shell');
          // After an expired session the same user signs in again and resumes their uploads.
          if (reason !== 'expired') {
            void abandonUploads();
            dismissAllNotices();
          }
          // Before the first page is shown, its route redirects to the sign-in page.
          if (isInside || reason === 'expired') notify(texts.ended[reason], { tone: 'info' });
          if (!isInside) return;
          const search = reason === 'own' || here.href === '/' ? {} : { redirect: here.href };
          await router.navigate({ to: '/login', search, ignoreBlocker: true });
        },
      }),
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Notices />
    </QueryClientProvider>
  );
}

async function abandonUploads(): Promise<void> {
  const uploads = await import('./uploads/uploads.ts');
  await uploads.abandonUploads();
}
