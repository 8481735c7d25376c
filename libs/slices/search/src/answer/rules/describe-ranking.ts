import { createHash } from 'node:crypto';
import type { SearchMode } from '@steward/contracts';
import { MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES, RANKING } from '../../keyword/rules/ranking.ts';
import type { FusionSettings } from '../../semantic/candidate.ts';
import type { SpaceKey } from '../../vectors/vector-space.ts';

/** Goes up when results are ordered in another way than the constants and settings below say. */
const RANKING_VERSION = 2;
const KEYWORD = { ...RANKING, MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES };

/** Whose vectors rank by meaning; undefined where an account has it switched off, and words rank alone. */
export type RankingModel = Pick<SpaceKey, 'provider' | 'baseUrl' | 'modelIdentifier'> | undefined;

/** A text that is another one when searches of a mode are ranked in another way: what a saved search remembers (SRCH-76). */
export function describeRanking(mode: SearchMode, fusion: FusionSettings, model: RankingModel): string {
  const { constant, keywordWeight, semanticWeight, depth } = fusion;
  const meaning = model === undefined ? null : [model.provider, model.baseUrl, model.modelIdentifier];
  // By meaning alone, similarity is the order.
  const facts = {
    keyword: [KEYWORD],
    semantic: [meaning],
    hybrid: [KEYWORD, constant, keywordWeight, semanticWeight, depth, meaning],
  }[mode];
  const hash = createHash('sha256').update(JSON.stringify([RANKING_VERSION, ...facts]));
  return `${mode}-${hash.digest('hex').slice(0, 12)}`;
}
