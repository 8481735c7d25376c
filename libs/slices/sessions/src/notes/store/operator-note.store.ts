import type { AnyTransaction } from '@steward/database';
import { tables, type OperatorNoteRow } from '../../schema.ts';

export async function insertNote(
  trx: AnyTransaction,
  row: Omit<OperatorNoteRow, 'delivered_at' | 'delivery_channel' | 'turn_index'>,
): Promise<void> {
  await tables(trx)
    .insertInto('gateway.operator_note')
    .values({ ...row, delivered_at: null, delivery_channel: null, turn_index: null })
    .execute();
}
