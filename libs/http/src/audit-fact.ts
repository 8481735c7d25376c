import type { AuditResourceType, Principal } from '@steward/contracts';

/** What a route records; who did it, through which door and in which request are known without it. */
export interface AuditDeclaration {
  /** Several when only the handler learns which of them it was. */
  readonly action: string | readonly string[];
  readonly resourceType: AuditResourceType;
}

export interface AuditActor {
  readonly kind: Principal['kind'] | 'anonymous';
  readonly id: string | null;
}

/** Which API of the process something came through, as the audit log names it. */
export type AuditSource = 'console' | 'mcp';

/** What only the handler knows. */
export interface AuditFact {
  readonly resourceId: string | null;
  /** Never a secret, never a body. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** By default success. */
  readonly status?: AuditStatus;
}

export type AuditStatus = 'success' | 'denied' | 'failure';

/** A route without a credential learns while it runs whose account it touches. */
export interface AuditSubject {
  readonly accountId: string;
  readonly actor: AuditActor;
}

/** A row of the audit log, to be written in the transaction of what it records. */
export interface AuditRecord extends AuditSubject, AuditFact {
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly source: AuditSource;
  readonly status: AuditStatus;
  readonly requestId: string;
}

/** Builds a row from what only the handler knows. */
export type BuildAudit<Auth extends 'bearer' | 'optional' | 'none', Declared extends AuditDeclaration> = (
  fact: AuditFact & (Auth extends 'bearer' ? unknown : AuditSubject) & ActionOf<Declared['action']>,
) => AuditRecord;

type ActionOf<Action> = Action extends readonly string[] ? { readonly action: Action[number] } : unknown;

/** Who acted, as the audit log names it. */
export function describeActor(principal: Principal): { readonly kind: Principal['kind']; readonly id: string } {
  return { kind: principal.kind, id: principal.apiKeyId ?? principal.userId };
}

export interface AuditContext {
  readonly declared: AuditDeclaration;
  readonly source: AuditSource;
  readonly requestId: string;
  readonly principal: Principal | undefined;
}

/** Builds a route's audit rows: what is the same for all of them comes from the declaration and the request. */
export function createBuildAudit({ declared, source, requestId, principal }: AuditContext) {
  const subject =
    principal === undefined ? undefined : { accountId: principal.accountId, actor: describeActor(principal) };
  // What is not known here, the type of the route's builder asks of the handler.
  return (fact: AuditFact): AuditRecord =>
    ({ ...subject, ...declared, source, requestId, status: 'success', ...fact }) as AuditRecord;
}
