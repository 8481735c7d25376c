import { refusePermission, type Principal } from '@steward/contracts';

/**
 * Refuses callers who may not call models. Every caller with permission to list models may call them, and so may the
 * agent of a running execution, whatever its other permissions.
 */
export function requireCaller(principal: Principal): void {
  if (principal.permissions.has('view_ai_models') || principal.runtimeSessionId !== undefined) return;
  throw refusePermission(principal, 'view_ai_models');
}
