import type { AnyDatabase } from '@steward/database';
import { findPruned } from '../../retention/store/audit-pruned.store.ts';
import { findNextSeal, type SealedRows } from '../store/audit-seal.store.ts';

/**
 * Reads the seals of an account after a number, with their rows. A missing row was not removed by the service, because
 * the read fails if retention removes seals in the meantime. @throws if retention removes a seal that was not read yet
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
