import type { DegradedReason } from '@steward/contracts';
import type { EmbeddingProvider } from '../embedding/embedding-setting.ts';
import type { WalkSetting } from '../embedding/rules/describe-walk.ts';
import type { VectorSpace } from '../vectors/vector-space.ts';
import type { SemanticMatch } from './semantic-match.ts';

/** Reasons why the semantic half of a search did not run or has no result. */
export interface MissingHalf {
  readonly kind: 'missing';
  /** At least one reason; a reason that a person can resolve comes first. */
  readonly reasons: readonly DegradedReason[];
}

export interface FoundHalf {
  readonly kind: 'found';
  /** Matching sessions, nearest first. */
  readonly matches: readonly SemanticMatch[];
  /** Whether there may be more results than those returned. */
  readonly isCut: boolean;
}

export interface EmbeddingService {
  readonly provider: EmbeddingProvider;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** Data of the account for a semantic search, or the reason why there is none. */
export type SemanticTerms = ReadyTerms | MissingTerms;

export interface ReadyTerms {
  readonly kind: 'ready';
  readonly service: EmbeddingService;
  readonly space: VectorSpace;
  readonly capUsd: number;
  readonly pricePerMtok: number;
  /** Reason why the provider is currently paused after a failure; during the pause, no query is sent to it. */
  readonly heldReason: DegradedReason | undefined;
  /**
   * Current database time. If the keyword half did not state the time of the first page, the database time is used in
   * its place: later pages exclude vectors written afterwards.
   */
  readonly databaseNow: Date;
  readonly corpus: CorpusTerms;
}

export interface MissingTerms extends MissingHalf {
  /**
   * State of the corpus; undefined if it is not relevant, because embedding is disabled or misconfigured, or nothing is
   * embedded yet.
   */
  readonly corpus: CorpusTerms | undefined;
}

/** Data from which the embedding progress of the account's corpus is determined. */
export interface CorpusTerms {
  readonly setting: WalkSetting;
  /** True if today's cap was used up before everything was embedded. */
  readonly isHeldByCap: boolean;
}
