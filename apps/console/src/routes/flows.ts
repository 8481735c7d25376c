import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../lazy-screen.ts';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const flows = createRoute({
  getParentRoute: () => inside,
  path: '/flows',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/flows/flows-screen.tsx'), 'FlowsScreen'),
});

const newFlow = createRoute({
  getParentRoute: () => inside,
  path: '/flows/new',
  component: lazyScreen(() => import('../screens/flows/new-flow-screen.tsx'), 'NewFlowScreen'),
});

const flowOf = createRoute({
  getParentRoute: () => inside,
  path: '/flows/$flowId',
  component: lazyScreen(() => import('../screens/flows/flow-screen.tsx'), 'FlowScreen'),
});

const editFlow = createRoute({
  getParentRoute: () => inside,
  path: '/flows/$flowId/edit',
  component: lazyScreen(() => import('../screens/flows/edit-flow-screen.tsx'), 'EditFlowScreen'),
});

/** What starts agents. */
export const flowRoutes = [flows, newFlow, flowOf, editFlow] as const;
