/**
 * Effects of a change to an agent in all contexts that store its data: its keys when it is suspended, retired or
 * merged, and its notes and budgets when it is merged.
 *
 * Not here: HTTP, the registry itself (the agents context). Used by: the API of the agents context.
 */
export { changeAgent } from './change-agent.ts';
export { joinAgents } from './join-agents.ts';
