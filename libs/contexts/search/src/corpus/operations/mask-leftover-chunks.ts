import type { AnyTransaction } from '@steward/database';
import { maskCredentials } from '@steward/masking';
import { listOutdatedTexts, updateMaskedTexts } from '../store/outdated-mask.store.ts';

const CHUNKS_AT_ONCE = 200;

/**
 * Masks chunks of a session in place if they were masked with older rules. Before this call, the sources that still
 * exist must be written again, so that only chunks without a source remain. Returns the number of masked chunks; 0 if
 * there are no more chunks to mask. Call this only once per transaction: a transaction that has deleted vectors and
 * then waits for more chunks can deadlock with one that stores vectors of those chunks. A credential is found only in a
 * chunk that contains all of it.
 */
export async function maskLeftoverChunks(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly sessionId: string },
): Promise<number> {
  const texts = await listOutdatedTexts(trx, { ...key, limit: CHUNKS_AT_ONCE });
  if (texts.length === 0) return 0;
  const changed = texts.map(({ id, content, goesOn }) => {
    const text = maskCredentials(content);
    return { id, content: text, isMasked: text !== content, goesOn };
  });
  await updateMaskedTexts(trx, key.accountId, changed);
  return texts.length;
}
