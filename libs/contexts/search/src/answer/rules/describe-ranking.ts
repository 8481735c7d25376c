import { createHash } from 'node:crypto';
import type { SearchMode } from '@steward/contracts';
import { MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES, RANKING } from '../../keyword/rules/ranking.ts';
import type { FusionSettings } from '../../semantic/candidate.ts';
import type { SpaceKey } from '../../vectors/vector-space.ts';

/** Increased when the order of results changes in a way that the constants and settings below do not show. */
const RANKING_VERSION = 2;
const KEYWORD = { ...RANKING, MAX_RANKED_MATCHES, MAX_RANKED_PER_SESSION, PAGE_MATCHES };

/**
 * The model whose vectors are used for ranking by meaning; undefined if the account has embedding disabled, so that
 * only keywords are ranked.
 */
export type RankingModel = Pick<SpaceKey, 'provider' | 'baseUrl' | 'modelIdentifier'> | undefined;

/** A string that changes whenever the ranking of a mode changes: a saved search stores it (SRCH-76). */
export function describeRanking(mode: SearchMode, fusion: FusionSettings, model: RankingModel): string {
  const { constant, keywordWeight, semanticWeight, depth } = fusion;
  const meaning = model === undefined ? null : [model.provider, model.baseUrl, model.modelIdentifier];
  // Without words, similarity determines the order.
  const facts = {
    keyword: [KEYWORD],
    semantic: [meaning],
    hybrid: [KEYWORD, constant, keywordWeight, semanticWeight, depth, meaning],
  }[mode];
  const hash = createHash('sha256').update(JSON.stringify([RANKING_VERSION, ...facts]));
  return `${mode}-${hash.digest('hex').slice(0, 12)}`;
}
