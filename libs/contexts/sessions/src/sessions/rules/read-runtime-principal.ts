import type { Principal } from '@steward/contracts';

/** The agent of a session, as named by its caller. */
interface NamedPrincipal {
  readonly runtime_principal_type?: string | null | undefined;
  readonly runtime_principal_id?: string | null | undefined;
  readonly runtime_principal_name?: string | null | undefined;
}

/**
 * Returns the agent of a session: the agent that the caller names, otherwise the managed agent to which the caller's
 * key is bound. Every caller that opens sessions may name any agent, since collectors report on behalf of many agents;
 * only the agent to which the key is bound is verified.
 */
export function readRuntimePrincipal(body: NamedPrincipal, principal: Principal) {
  const named = (body.runtime_principal_id ?? '') !== '' || (body.runtime_principal_type ?? '') !== '';
  const own = principal.runtimePrincipal;
  const bound = named ? undefined : own;
  const type = bound?.type ?? body.runtime_principal_type;
  const id = bound?.id ?? body.runtime_principal_id;
  return {
    runtimePrincipalType: type,
    runtimePrincipalId: id,
    runtimePrincipalName: body.runtime_principal_name ?? bound?.name,
    principalVerified: own !== undefined && own.type === type && own.id === id,
  };
}
