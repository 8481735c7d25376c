import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { readSession, refreshUser, restoreSession } from '../auth/session.ts';
import { NotThere } from '../screens/not-there.tsx';
import { Shell } from '../shell/shell.tsx';

export const root = createRootRoute({ notFoundComponent: NotThere });

/** Parent of the routes that need a signed-in user. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    // The user is read again, because the role may have changed since the last screen; the screen does not wait for
    // this.
    if (readSession().kind === 'signed-in') void refreshUser().catch(() => undefined);
    const session = await restoreSession();
    if (session.kind !== 'signed-in') throw redirect({ to: '/login', search: { next: location.href }, replace: true });
  },
  component: Shell,
});
