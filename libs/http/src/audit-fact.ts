import type { AuditResourceType, Principal } from '@steward/contracts';

/** The audit record declared by a route; the actor, the surface and the request are added automatically. */
export interface DeclaredAudit {
  /**
   * Action of the record; a list of actions if only the handler can determine which of them applies. Default: the verb
   * in the operation id (`createFlow`: `create`).
   */
  readonly action?: string | readonly string[];
  readonly resourceType: AuditResourceType;
}

export type AuditDeclaration = Required<DeclaredAudit>;

/** Matches verbs of operation ids that are also actions of the audit log. */
const VERB = /^(?:create|update|delete)(?=[A-Z])/;

/**
 * Returns the declaration with its action, which is taken from the operation id if the declaration names none.
 * @throws if neither the declaration nor the operation id names an action
 */
export function completeAudit({ action, resourceType }: DeclaredAudit, operationId: string): AuditDeclaration {
  const named = action ?? VERB.exec(operationId)?.[0];
  if (named === undefined) throw new Error(`${operationId} has to name the action of its audit record`);
  return { action: named, resourceType };
}

export interface AuditActor {
  readonly kind: Principal['kind'] | 'anonymous';
  readonly id: string | null;
}

/** API through which a request came, as named in the audit log. */
export type AuditSource = 'console' | 'mcp';

/** Data that only the handler has. */
export interface AuditFact {
  readonly resourceId: string | null;
  /** Further details; they never contain a secret or a body. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Outcome of the action; default: success. */
  readonly status?: AuditStatus;
}

export type AuditStatus = 'success' | 'denied' | 'failure';

/**
 * Account and actor of a record. If a route does not require a credential, its handler supplies them, because only the
 * handler can determine them.
 */
export interface AuditSubject {
  readonly accountId: string;
  readonly actor: AuditActor;
}

/** A row of the audit log, to be written in the same transaction as the recorded change. */
export interface AuditRecord extends AuditSubject, AuditFact {
  readonly action: string;
  readonly resourceType: AuditResourceType;
  readonly source: AuditSource;
  readonly status: AuditStatus;
  readonly requestId: string;
}

/** Builds a row from the data that only the handler has. */
export type BuildAudit<Auth extends 'bearer' | 'optional' | 'none', Declared extends DeclaredAudit> = (
  fact: AuditFact & (Auth extends 'bearer' ? unknown : AuditSubject) & ActionOf<Declared['action']>,
) => AuditRecord;

type ActionOf<Action> = Action extends readonly string[] ? { readonly action: Action[number] } : unknown;

/** Returns the actor, as named in the audit log. */
export function describeActor(principal: Principal): { readonly kind: Principal['kind']; readonly id: string } {
  return { kind: principal.kind, id: principal.apiKeyId ?? principal.userId };
}

export interface AuditContext {
  readonly declared: AuditDeclaration;
  readonly source: AuditSource;
  readonly requestId: string;
  readonly principal: Principal | undefined;
}

/** Returns a function that builds a route's audit rows: the common parts come from the declaration and the request. */
export function createBuildAudit({ declared, source, requestId, principal }: AuditContext) {
  const subject =
    principal === undefined ? undefined : { accountId: principal.accountId, actor: describeActor(principal) };
  // The type of the route's builder requires the handler to supply the missing parts.
  return (fact: AuditFact): AuditRecord =>
    ({ ...subject, ...declared, source, requestId, status: 'success', ...fact }) as AuditRecord;
}
