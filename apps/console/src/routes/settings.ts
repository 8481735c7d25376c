import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../lazy-screen.ts';
import { USER_KEYS } from '../queries/people.ts';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const embedding = createRoute({
  getParentRoute: () => inside,
  path: '/settings/search',
  component: lazyScreen(() => import('../screens/settings/embedding-screen.tsx'), 'EmbeddingScreen'),
});

const killSwitch = createRoute({
  getParentRoute: () => inside,
  path: '/settings/kill-switch',
  component: lazyScreen(() => import('../screens/settings/kill-switch-screen.tsx'), 'KillSwitchScreen'),
});

const users = createRoute({
  getParentRoute: () => inside,
  path: '/settings/users',
  validateSearch: (values) => pickTexts(values, USER_KEYS),
  component: lazyScreen(() => import('../screens/people/users-screen.tsx'), 'UsersScreen'),
});

const roles = createRoute({
  getParentRoute: () => inside,
  path: '/settings/roles',
  component: lazyScreen(() => import('../screens/people/roles-screen.tsx'), 'RolesScreen'),
});

const apiKeys = createRoute({
  getParentRoute: () => inside,
  path: '/settings/api-keys',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/settings/api-keys-screen.tsx'), 'ApiKeysScreen'),
});

const account = createRoute({
  getParentRoute: () => inside,
  path: '/settings/account',
  component: lazyScreen(() => import('../screens/settings/account-screen.tsx'), 'AccountScreen'),
});

export const settingsRoutes = [embedding, killSwitch, users, roles, apiKeys, account] as const;
