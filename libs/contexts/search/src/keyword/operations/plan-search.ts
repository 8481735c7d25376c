import type { PoolClient } from 'pg';
import type { KeywordSearchInput } from '../keyword-search.ts';
import type { ParsedQuery } from '../rules/keyword-query.ts';
import { computeIdf, SAMPLE_ROWS, weighTerms, type Sample, type WeightedTerm } from '../rules/ranking.ts';
import {
  chooseSelectiveTerms,
  countPageMatches,
  estimateIndexCost,
  needsIndexCost,
  planRetrieval,
  planSelective,
  type RetrievalPlan,
} from '../rules/retrieval-plan.ts';
import { narrowsWalk, type MatchScope } from '../store/match-conditions.store.ts';
import { estimateRows, type RowEstimates } from '../store/row-estimate.store.ts';
import { sampleNewest } from '../store/sample.store.ts';

export interface SearchDeps {
  readonly client: PoolClient;
  readonly estimates: RowEstimates;
}

interface PlannedSearch {
  readonly scope: MatchScope;
  readonly plan: RetrievalPlan;
  readonly terms: readonly WeightedTerm[];
  /** The database's time. */
  readonly now: Date;
  readonly sample: Sample;
}

/**
 * Determines the method by which candidates are found, and the weight of each word, from a sample of the newest rows.
 */
export async function planSearch(
  { client, estimates }: SearchDeps,
  input: KeywordSearchInput,
  query: { readonly parsed: ParsedQuery; readonly relaxed: boolean },
): Promise<PlannedSearch> {
  const { tsquery, terms } = query.parsed;
  const { accountId, filter, asOf } = input;
  const scope: MatchScope = { accountId, tsquery, filter, asOf };
  const sample = await sampleNewest(client, scope, terms);
  const { now } = sample;
  const weighted = weighTerms(terms, computeIdf(sample));
  const planned = { scope, terms: weighted, now, sample };
  if (query.relaxed && sample.rows >= SAMPLE_ROWS) {
    const ofPart = await estimateRows(client, scope);
    const selective = chooseSelectiveTerms(terms, sample, ofPart);
    if (selective.length > 0) {
      const plan: RetrievalPlan = narrowsWalk(filter)
        ? planSelective(
            sample,
            { selective, terms },
            { ofPart, ofAccount: await estimates.readAccountRows(client, accountId) },
          )
        : { arm: 'index' };
      return { ...planned, scope: { ...scope, tsquery: selective.join(' | ') }, plan };
    }
  }
  const pageMatches = countPageMatches(input.offset + (input.enough ?? input.limit));
  // The number of rows is estimated for the whole account, since the text index contains neither times nor sessions.
  const rows = needsIndexCost(sample, pageMatches) ? await estimates.readAccountRows(client, accountId) : 0;
  const indexCost = estimateIndexCost(sample, rows);
  return { ...planned, plan: planRetrieval(sample, indexCost, pageMatches) };
}
