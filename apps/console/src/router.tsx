import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyScreen } from './lazy-screen.ts';
import { readNextPath } from './auth/next-path.ts';
import { restoreSession } from './auth/session.ts';
import { AUDIT_KEYS } from './queries/audit.ts';
import { EXECUTION_KEYS } from './queries/executions.ts';
import { SEARCH_KEYS } from './queries/search.ts';
import { DELIVERY_KEYS } from './queries/webhooks.ts';
import { SESSIONS_KEYS } from './queries/sessions.ts';
import { agentRoutes } from './routes/agents.ts';
import { flowRoutes } from './routes/flows.ts';
import { inside, root } from './routes/inside.ts';
import { policyRoutes } from './routes/policies.ts';
import { operationRoutes } from './routes/operation.ts';
import { settingsRoutes } from './routes/settings.ts';
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

const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  component: lazyScreen(() => import('./screens/welcome/welcome-screen.tsx'), 'WelcomeScreen'),
});

const search = createRoute({
  getParentRoute: () => inside,
  path: '/search',
  validateSearch: (values) => pickTexts(values, [...SEARCH_KEYS, 'panel']),
  component: lazyScreen(() => import('./screens/search/search-screen.tsx'), 'SearchScreen'),
});

const sessions = createRoute({
  getParentRoute: () => inside,
  path: '/sessions',
  validateSearch: (values) => pickTexts(values, SESSIONS_KEYS),
  component: lazyScreen(() => import('./screens/sessions/sessions-screen.tsx'), 'SessionsScreen'),
});

const sessionOf = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$sessionId',
  validateSearch: (values) => pickTexts(values, ['at', 'q', 'kind']),
  component: lazyScreen(() => import('./screens/sessions/session-screen.tsx'), 'SessionScreen'),
});

const endpoints = createRoute({
  getParentRoute: () => inside,
  path: '/event-webhooks/endpoints',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('./screens/webhooks/endpoints-screen.tsx'), 'EndpointsScreen'),
});

const endpointOf = createRoute({
  getParentRoute: () => inside,
  path: '/event-webhooks/endpoints/$endpointId',
  validateSearch: (values) => pickTexts(values, ['peek']),
  component: lazyScreen(() => import('./screens/webhooks/endpoint-screen.tsx'), 'EndpointScreen'),
});

const deliveries = createRoute({
  getParentRoute: () => inside,
  path: '/event-webhooks/deliveries',
  validateSearch: (values) => pickTexts(values, DELIVERY_KEYS),
  component: lazyScreen(() => import('./screens/webhooks/deliveries-screen.tsx'), 'DeliveriesScreen'),
});

const deadLetters = createRoute({
  getParentRoute: () => inside,
  path: '/event-webhooks/dead-letters',
  validateSearch: (values) => pickTexts(values, DELIVERY_KEYS),
  component: lazyScreen(() => import('./screens/webhooks/dead-letters-screen.tsx'), 'DeadLettersScreen'),
});

const approvals = createRoute({
  getParentRoute: () => inside,
  path: '/approvals',
  validateSearch: (values) => pickTexts(values, ['status', 'cursor']),
  component: lazyScreen(() => import('./screens/approvals/approvals-screen.tsx'), 'ApprovalsScreen'),
});

const approvalOf = createRoute({
  getParentRoute: () => inside,
  path: '/approvals/$requestId',
  component: lazyScreen(() => import('./screens/approvals/approval-screen.tsx'), 'ApprovalScreen'),
});

const audit = createRoute({
  getParentRoute: () => inside,
  path: '/audit-log',
  validateSearch: (values) => pickTexts(values, AUDIT_KEYS),
  component: lazyScreen(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
});

const executions = createRoute({
  getParentRoute: () => inside,
  path: '/executions',
  validateSearch: (values) => pickTexts(values, EXECUTION_KEYS),
  component: lazyScreen(() => import('./screens/executions/executions-screen.tsx'), 'ExecutionsScreen'),
});

const executionOf = createRoute({
  getParentRoute: () => inside,
  path: '/executions/$executionId',
  component: lazyScreen(() => import('./screens/executions/execution-screen.tsx'), 'ExecutionScreen'),
});

/** The address that the API gives for a session. */
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
    inside.addChildren([
      first,
      welcome,
      search,
      sessions,
      sessionOf,
      endpoints,
      endpointOf,
      deliveries,
      deadLetters,
      approvals,
      approvalOf,
      executions,
      executionOf,
      ...flowRoutes,
      audit,
      ...agentRoutes,
      ...policyRoutes,
      ...operationRoutes,
      ...settingsRoutes,
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What is shown was made a moment ago. */
    isNew?: boolean;
  }
  interface Register {
    router: typeof router;
  }
}
