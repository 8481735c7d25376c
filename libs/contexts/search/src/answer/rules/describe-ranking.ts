import { createHash } from 'node:crypto';
import type { SearchMode } from '@steward/contracts';
import { MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES, RANKING } from '../../keyword/rules/ranking.ts';
import type { FusionSettings } from '../../semantic/candidate.ts';
import type { SpaceKey } from '../../vectors/vector-space.ts';

/**
 * Version of the ranking, which is incremented when the order of results changes in a way that the constants and
 * settings below do not reflect.
 */
const RANKING_VERSION = 2;
const KEYWORD = { ...RANKING, MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES };

/**
 * The model whose vectors are used for semantic ranking; undefined if embedding is disabled or not configured: in this
 * case, only keywords are ranked.
 */
export type RankingModel = Pick<SpaceKey, 'provider' | 'baseUrl' | 'modelIdentifier'> | undefined;

/** Returns a string that changes whenever the ranking of a mode changes; it is stored in saved searches (SRCH-76). */
export function describeRanking(mode: SearchMode, fusion: FusionSettings, model: RankingModel): string {
  const { constant, keywordWeight, semanticWeight, depth } = fusion;
  const meaning = model === undefined ? null : [model.provider, model.baseUrl, model.modelIdentifier];
  // If no words are searched, similarity determines the order.
  const facts = {
    keyword: [KEYWORD],
    semantic: [meaning],
    hybrid: [KEYWORD, constant, keywordWeight, semanticWeight, depth, meaning],
  }[mode];
  const hash = createHash('sha256').update(JSON.stringify([RANKING_VERSION, ...facts]));
  return `${mode}-${hash.digest('hex').slice(0, 12)}`;
}
