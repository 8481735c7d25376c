import type { Principal } from '@steward/http';

/** Who acted, as the audit log names it. */
export function describeActor(principal: Principal): { kind: 'user' | 'api_key'; id: string } {
  return { kind: principal.kind, id: principal.apiKeyId ?? principal.userId };
}
