import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../lazy-screen.ts';
import { AGENT_KEYS } from '../queries/agents.ts';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

const agents = createRoute({
  getParentRoute: () => inside,
  path: '/agents',
  validateSearch: (values) => pickTexts(values, AGENT_KEYS),
  component: lazyScreen(() => import('../screens/agents/agents-screen.tsx'), 'AgentsScreen'),
});

const agentOf = createRoute({
  getParentRoute: () => inside,
  path: '/agents/$agentId',
  validateSearch: (values) => pickTexts(values, ['cursor']),
  component: lazyScreen(() => import('../screens/agents/agent-screen.tsx'), 'AgentScreen'),
});

const discovered = createRoute({
  getParentRoute: () => inside,
  path: '/agents/discovered',
  validateSearch: (values) => pickTexts(values, ['status', 'cursor']),
  component: lazyScreen(() => import('../screens/agents/discovered-screen.tsx'), 'DiscoveredScreen'),
});

/** Who acts: the registry of agents, and those that were seen. */
export const agentRoutes = [agents, agentOf, discovered] as const;
