/**
 * Effects of a change of an agent in all contexts that store its data: its keys when it is suspended, retired or
 * merged, its notes and budgets.
 *
 * Not here: HTTP, the registry itself (the agents context). Used by: api-gateway.
 */
export { changeAgent } from './change-agent.ts';
export { joinAgents } from './join-agents.ts';
