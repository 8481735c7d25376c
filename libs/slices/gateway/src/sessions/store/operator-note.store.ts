import type { Transaction } from 'kysely';
import type { OperatorNoteRow, SessionsDatabase } from '../session-schema.ts';

export async function insertNote(
  trx: Transaction<SessionsDatabase>,
  row: Omit<OperatorNoteRow, 'delivered_at' | 'delivery_channel' | 'turn_index'>,
): Promise<void> {
  await trx
    .insertInto('gateway.operator_note')
    .values({ ...row, delivered_at: null, delivery_channel: null, turn_index: null })
    .execute();
}
