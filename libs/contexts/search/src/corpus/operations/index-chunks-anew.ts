import type { AnyTransaction } from '@steward/database';
import { buildIndexWords } from '../../words/index-words.ts';
import { lockOutdatedWords, updateWords } from '../store/outdated-words.store.ts';

/**
 * Rebuilds index words that an older version wrote, for at most `limit` chunks of the account, newest first. Returns
 * the number of chunks.
 */
export async function indexChunksAnew(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly limit: number },
): Promise<number> {
  const chunks = await lockOutdatedWords(trx, key);
  if (chunks.length === 0) return 0;
  const words = chunks.map(({ id, content, goesOn }) => ({ id, ...buildIndexWords(content, goesOn) }));
  await updateWords(trx, key.accountId, words);
  return chunks.length;
}
