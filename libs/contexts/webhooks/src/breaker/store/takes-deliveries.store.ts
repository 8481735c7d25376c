import { sql } from 'kysely';

/** Whether deliveries of endpoint `e` are sent now. Also the condition of the index `endpoint_reopened`. */
export const takesDeliveries = sql`e.active and e.deleted_at is null and e.circuit_state = 'closed'`;
