/**
 * Builds an insert of the rows that `select` returns, which must have the columns below in this order. Used in a
 * statement that records its own effect, so that a batch of rows and their audit rows need only one round trip.
 */
export function buildAuditInsert(select: string): string {
  return `insert into gateway.audit_log (id, account_id, occurred_at, actor_kind, actor_id, source, action, resource_type,
    resource_id, status, details, request_id) ${select}`;
}
