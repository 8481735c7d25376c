import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const embedding = createRoute({
  getParentRoute: () => inside,
  path: '/settings/search',
  component: lazyRouteComponent(() => import('../screens/settings/embedding-screen.tsx'), 'EmbeddingScreen'),
});

const apiKeys = createRoute({
  getParentRoute: () => inside,
  path: '/settings/api-keys',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyRouteComponent(() => import('../screens/settings/api-keys-screen.tsx'), 'ApiKeysScreen'),
});

const account = createRoute({
  getParentRoute: () => inside,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('../screens/settings/account-screen.tsx'), 'AccountScreen'),
});

export const settingsRoutes = [embedding, apiKeys, account] as const;
