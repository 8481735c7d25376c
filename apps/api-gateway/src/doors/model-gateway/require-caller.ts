import { refusePermission, type Principal } from '@steward/contracts';

/** Whoever sees models calls them, and so does the agent of a running execution, whatever else it may not. */
export function requireCaller(principal: Principal): void {
  if (principal.permissions.has('view_ai_models') || principal.runtimeSessionId !== undefined) return;
  throw refusePermission(principal, 'view_ai_models');
}
