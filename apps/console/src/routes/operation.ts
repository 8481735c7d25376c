import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../lazy-screen.ts';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const budgets = createRoute({
  getParentRoute: () => inside,
  path: '/budgets',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/costs/budgets-screen.tsx'), 'BudgetsScreen'),
});

const usage = createRoute({
  getParentRoute: () => inside,
  path: '/usage',
  validateSearch: (values) => pickTexts(values, ['by', 'from', 'to']),
  component: lazyScreen(() => import('../screens/costs/usage-screen.tsx'), 'UsageScreen'),
});

const models = createRoute({
  getParentRoute: () => inside,
  path: '/models',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/models/models-screen.tsx'), 'ModelsScreen'),
});

const toolServers = createRoute({
  getParentRoute: () => inside,
  path: '/tool-servers',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/tool-servers/tool-servers-screen.tsx'), 'ToolServersScreen'),
});

const toolServerOf = createRoute({
  getParentRoute: () => inside,
  path: '/tool-servers/$serverId',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/tool-servers/tool-server-screen.tsx'), 'ToolServerScreen'),
});

/** What agents work with, and what it costs. */
export const operationRoutes = [budgets, usage, models, toolServers, toolServerOf] as const;
