import type { DegradedReason } from '@steward/contracts';
import type { CancellableOptions } from '@steward/database';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import { findNearestChunks } from '../../vectors/operations/find-nearest-chunks.ts';
import { findNearestSessions } from '../../vectors/operations/find-nearest-sessions.ts';
import { groupNearest } from '../rules/group-nearest.ts';
import type { Meaning } from '../rules/read-meaning.ts';
import type { FoundHalf, MissingHalf, ReadyTerms } from '../semantic-half.ts';
import type { SemanticPorts } from '../semantic-ports.ts';
import type { EmbedQuery } from './create-query-embedder.ts';
import { guardHalf } from './guard-half.ts';

export interface MeaningSearch {
  readonly accountId: string;
  readonly requestId: string;
  readonly meaning: Meaning;
  readonly filter: ChunkFilter;
  readonly terms: ReadyTerms;
  /** Number of sessions that are sufficient if finding more would take longer. */
  readonly enough: number;
  /** Time of the first page; vectors written after this time are excluded. */
  readonly asOf: Date | undefined;
}

type MeaningDeps = Pick<SemanticPorts, 'pools' | 'logger' | 'fusion' | 'mayMissHalf'> & {
  readonly embedQuery: EmbedQuery;
};

/**
 * Returns the sessions nearest to the meaning of a query. @throws the signal's reason when the client disconnects, and
 * errors for which `mayMissHalf` returns false
 */
export async function findByMeaning(
  deps: MeaningDeps,
  search: MeaningSearch,
  options: CancellableOptions,
): Promise<FoundHalf | MissingHalf> {
  const { accountId, requestId } = search;
  const guarded = { accountId, requestId, ...options, mayMiss: deps.mayMissHalf };
  const found = await guardHalf(deps.logger, guarded, () => find(deps, search, options));
  return found ?? miss('semantic_provider_error');
}

async function find(
  deps: MeaningDeps,
  { accountId, meaning, filter, terms, enough, asOf }: MeaningSearch,
  options: CancellableOptions,
): Promise<FoundHalf | MissingHalf> {
  const { signal, timeoutMs } = options;
  const deadline = performance.now() + timeoutMs;
  const { capUsd, heldReason, pricePerMtok, service, space } = terms;
  const { width } = space;
  const ask = { accountId, service, capUsd, heldReason, pricePerMtok, width, text: meaning.text, timeoutMs, signal };
  const embedding = await deps.embedQuery(ask);
  if (embedding.kind === 'missing') return miss(embedding.reason);
  const { vector } = embedding;
  if (vector.length !== space.width) return miss('semantic_model_mismatch');
  const remaining = { signal, timeoutMs: Math.max(1, deadline - performance.now()) };
  const query = { space, vector, asOf };
  const { chunks: found, isCut } = await findNearestSessions(
    deps.pools,
    { ...query, filter, sessions: deps.fusion.depth, enough, excluded: meaning.excluded },
    remaining,
  );
  if (found.length === 0) {
    const any = await findNearestChunks(deps.pools, { ...query, filter: {}, limit: 1 }, remaining);
    if (any.length === 0) return miss('semantic_no_vectors');
  }
  return { kind: 'found', matches: groupNearest(found), isCut };
}

function miss(reason: DegradedReason): MissingHalf {
  return { kind: 'missing', reasons: [reason] };
}
