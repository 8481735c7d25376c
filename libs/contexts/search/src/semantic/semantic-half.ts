import type { DegradedReason } from '@steward/contracts';
import type { EmbeddingProvider } from '../embedding/embedding-setting.ts';
import type { WalkSetting } from '../embedding/rules/describe-walk.ts';
import type { VectorSpace } from '../vectors/vector-space.ts';
import type { SemanticMatch } from './semantic-match.ts';

/** Reason why the semantic half of a search does not run. */
export interface MissingHalf {
  readonly kind: 'missing';
  /** At least one reason; the first is one that a person can resolve. */
  readonly reasons: readonly DegradedReason[];
}

export interface FoundHalf {
  readonly kind: 'found';
  /** Nearest first. */
  readonly matches: readonly SemanticMatch[];
  /** Whether there may be more results than were searched for. */
  readonly isCut: boolean;
}

export interface EmbeddingService {
  readonly provider: EmbeddingProvider;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** Account data for a semantic search, or the reason why there is none. */
export type SemanticTerms = ReadyTerms | MissingTerms;

export interface ReadyTerms {
  readonly kind: 'ready';
  readonly service: EmbeddingService;
  readonly space: VectorSpace;
  readonly capUsd: number;
  readonly pricePerMtok: number;
  /** The provider failed and is currently paused: no query is sent to it. */
  readonly heldReason: DegradedReason | undefined;
  /** The database's time: later pages show the vectors as of this time. */
  readonly databaseNow: Date;
  readonly corpus: CorpusTerms;
}

export interface MissingTerms extends MissingHalf {
  /** Undefined if it is not relevant: embedding is disabled for the account, or nothing is embedded yet. */
  readonly corpus: CorpusTerms | undefined;
}

/** Data that shows the embedding progress of the account's corpus. */
export interface CorpusTerms {
  readonly setting: WalkSetting;
  /** Today's cap was used up before everything was embedded. */
  readonly isHeldByCap: boolean;
}
