import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { router } from './router.tsx';
import { selectDefaultOrganization } from './session/account.ts';
import { queryClient } from './session/query-client.ts';
import { beforeSignOut, watchSession } from './session/session.ts';
import { texts } from './texts/session.ts';
import { dismissAllNotices, Notices, notify } from './ui/notices.tsx';

export function App(): ReactNode {
  useEffect(
    () =>
      watchSession({
        onStart: leaveSignIn,
        onReplaced() {
          // Its forms, texts and undos are of the user before.
          if (isInside()) return location.reload();
          void queryClient.resetQueries();
          leaveSignIn();
          // A page that was opening has lost its requests.
          void selectDefaultOrganization();
        },
        async onEnd(reason) {
          const here = router.state.location;
          // After an expired session the same user may sign in again.
          if (reason !== 'expired') dismissAllNotices();
          // Before the first page is shown, its route redirects to the sign-in page.
          if (isInside() || reason === 'expired') notify(texts.ended[reason], { tone: 'info' });
          if (!isInside()) return;
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

/** Tells whether a page is shown that needs a session. */
function isInside(): boolean {
  return router.state.matches.some((match) => match.routeId === '/shell');
}

function leaveSignIn(): void {
  const { pathname, search } = router.state.location;
  if (pathname === '/login') router.history.replace(search.redirect ?? '/');
}

// Also those that an earlier visit has left, which haven't loaded the module.
beforeSignOut(async () => {
  const { abandonUploads } = await import('./uploads/uploads.ts');
  await abandonUploads();
});
