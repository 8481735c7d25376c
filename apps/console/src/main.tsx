import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isConnectionLost, watchConnection } from './api/connection.ts';
import { readSession, watchSession } from './auth/session.ts';
import { queryClient } from './queries/query-client.ts';
import { router } from './router.tsx';
import './theme/tokens.css';
import './theme/base.css';

/**
 * After signing out, here or in another tab, no earlier data is shown: the cache is cleared, and the route guard checks
 * again.
 */
let former = readSession().kind;
watchSession(() => {
  const { kind } = readSession();
  const isOver = former === 'signed-in' && kind !== 'signed-in';
  const isToBeAsked = kind === 'unknown';
  former = kind;
  if (isOver) queryClient.clear();
  if (isOver || isToBeAsked) void router.invalidate();
});

/** When the service is available again, all queries are repeated except searches, because each search is recorded. */
watchConnection(() => {
  if (isConnectionLost()) return;
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'search' });
});

/** The code of the first screen is loaded during the session check, not after it. */
const routes: Readonly<Record<string, { readonly options: object }>> = router.routesById;
for (const { routeId } of router.matchRoutes(router.latestLocation) as readonly { readonly routeId: string }[]) {
  const { component } = (routes[routeId]?.options ?? {}) as { component?: { preload?: () => Promise<unknown> } };
  void component?.preload?.().catch(() => undefined);
}

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
