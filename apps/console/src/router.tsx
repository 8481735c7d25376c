import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyScreen } from './lazy-screen.ts';
import { readNextPath } from './auth/next-path.ts';
import { restoreSession } from './auth/session.ts';
import { inside, root } from './routes/inside.ts';
import { screenRoutes } from './routes/screen-routes.ts';
import { RegisterScreen } from './screens/sign-in/register-screen.tsx';
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx';
import { parseSearch, pickTexts, stringifySearch } from './search-text.ts';
import { PageError } from './shell/page-error.tsx';

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search) => pickTexts(search, ['next']),
  beforeLoad: async ({ search }) => {
    const session = await restoreSession();
    if (session.kind === 'signed-in') throw redirect({ href: readNextPath(search.next), replace: true });
  },
  component: SignInScreen,
});

const register = createRoute({ getParentRoute: () => root, path: '/register', component: RegisterScreen });

const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/accept-invitation',
  component: lazyScreen(() => import('./screens/sign-in/accept-invitation-screen.tsx'), 'AcceptInvitationScreen'),
});

const first = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/search', replace: true });
  },
});

/** Route for the address that the API returns for a session; it redirects to the screen of the session. */
const sessionLink = createRoute({
  getParentRoute: () => root,
  path: '/runtime-sessions/$sessionId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/sessions/$sessionId', params, replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    register,
    acceptInvitation,
    sessionLink,
    inside.addChildren([first, ...screenRoutes]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the shown object was just created. */
    isNew?: boolean;
  }
  interface Register {
    router: typeof router;
  }
}
