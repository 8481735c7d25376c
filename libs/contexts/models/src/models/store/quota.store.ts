import { sql } from 'kysely';
import { requireQuota, type AnyTransaction } from '@steward/database';

/** Limit of models per account (LIM-50). */
const MAX_AI_MODELS = 500;

/**
 * Checks that the account may add another model.
 * @throws quota_reached
 */
export async function requireModelQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from models.ai_model where account_id = ${accountId}`;
  await requireQuota(trx, { accountId, what: 'AI models', limit: MAX_AI_MODELS, rows });
}
