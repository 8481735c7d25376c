import { sql } from 'kysely';

/**
 * SQL condition that is true if deliveries to endpoint `e` are sent now. This is also the condition of the index
 * `endpoint_reopened`.
 */
export const takesDeliveries = sql`e.active and e.deleted_at is null and e.circuit_state = 'closed'`;
