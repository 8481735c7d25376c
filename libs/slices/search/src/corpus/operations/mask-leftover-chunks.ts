import type { AnyTransaction } from '@steward/database';
import { maskCredentials } from '@steward/masking';
import { listOutdatedTexts, updateMaskedTexts } from '../store/outdated-mask.store.ts';

const CHUNKS_AT_ONCE = 200;

/**
 * Masks chunks of a session where they stand: those whose source is not there any more to be split anew. Answers how many; 0 when
 * none is left. Once per transaction: one that has dropped vectors and then waits for more chunks meets whoever stores vectors
 * of those and waits for the first. A credential that two chunks share is found in the one that holds it whole.
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
