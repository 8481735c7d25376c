import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const flows = createRoute({
  getParentRoute: () => inside,
  path: '/flows',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyRouteComponent(() => import('../screens/flows/flows-screen.tsx'), 'FlowsScreen'),
});

const newFlow = createRoute({
  getParentRoute: () => inside,
  path: '/flows/new',
  component: lazyRouteComponent(() => import('../screens/flows/new-flow-screen.tsx'), 'NewFlowScreen'),
});

const flowOf = createRoute({
  getParentRoute: () => inside,
  path: '/flows/$flowId',
  component: lazyRouteComponent(() => import('../screens/flows/flow-screen.tsx'), 'FlowScreen'),
});

const editFlow = createRoute({
  getParentRoute: () => inside,
  path: '/flows/$flowId/edit',
  component: lazyRouteComponent(() => import('../screens/flows/edit-flow-screen.tsx'), 'EditFlowScreen'),
});

/** What starts agents. */
export const flowRoutes = [flows, newFlow, flowOf, editFlow] as const;
