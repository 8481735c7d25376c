import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../lazy-screen.ts';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const policy = createRoute({
  getParentRoute: () => inside,
  path: '/policies',
  component: lazyScreen(() => import('../screens/policies/policy-screen.tsx'), 'PolicyScreen'),
});

const versions = createRoute({
  getParentRoute: () => inside,
  path: '/policies/versions',
  validateSearch: (values) => pickTexts(values, ['cursor', 'show']),
  component: lazyScreen(() => import('../screens/policies/versions-screen.tsx'), 'VersionsScreen'),
});

/** What agents may do. */
export const policyRoutes = [policy, versions] as const;
