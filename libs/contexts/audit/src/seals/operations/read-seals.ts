import type { AnyDatabase } from '@steward/database';
import { findPruned } from '../../retention/store/audit-pruned.store.ts';
import { findNextSeal, type SealedRows } from '../store/audit-seal.store.ts';

/**
 * Reads the seals of an account after a number, with their rows. A row that is missing from a returned seal was not
 * removed by the service: if retention removes a seal before it was read completely, the read fails with an error.
 */
export async function* readSeals(
  db: AnyDatabase,
  { accountId, after }: { readonly accountId: string; readonly after: number },
): AsyncGenerator<SealedRows> {
  for (let last = after; ;) {
    const found = await findNextSeal(db, { accountId, after: last });
    const pruned = await findPruned(db, accountId);
    if (pruned !== undefined && pruned.number > last)
      throw new Error(`retention removed the seals up to ${pruned.number} while those after ${last} were read`);
    if (found === undefined) return;
    yield found;
    last = found.seal.number;
  }
}
