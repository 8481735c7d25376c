import { createHash } from 'node:crypto';
import type { SearchMode } from '@steward/contracts';
import { MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES, RANKING } from '../../keyword/rules/ranking.ts';
import type { FusionSettings } from '../../semantic/candidate.ts';

/** Goes up when results are ordered in another way than the constants and settings below say. */
const RANKING_VERSION = 1;
const KEYWORD = { ...RANKING, MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES };

/** A text that is another one when searches of a mode are ranked in another way: what a saved search remembers (SRCH-76). */
export function describeRanking(mode: SearchMode, fusion: FusionSettings): string {
  const { constant, keywordWeight, semanticWeight, depth } = fusion;
  // By meaning alone, similarity is the order.
  const facts = {
    keyword: [KEYWORD],
    semantic: [],
    hybrid: [KEYWORD, constant, keywordWeight, semanticWeight, depth],
  }[mode];
  const hash = createHash('sha256').update(JSON.stringify([RANKING_VERSION, ...facts]));
  return `${mode}-${hash.digest('hex').slice(0, 12)}`;
}
