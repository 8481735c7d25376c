import { AppError, type Principal } from '@steward/contracts';

/** No agent widens what agents may do, whatever the person may whose key it has. @throws permission_denied */
export function requireNoAgent({ runtimePrincipal, runtimeSessionId }: Principal): void {
  if (runtimePrincipal === undefined && runtimeSessionId === undefined) return;
  throw new AppError('permission_denied', { message: 'A credential that acts as an agent may not do this.' });
}
