import type { DegradedReason } from '@steward/contracts';
import type { EmbeddingProvider } from '../embedding/embedding-setting.ts';
import type { WalkSetting } from '../embedding/rules/describe-walk.ts';
import type { VectorSpace } from '../vectors/vector-space.ts';
import type { SemanticMatch } from './semantic-match.ts';

/** Reason why the semantic half of a search does not run. */
export interface MissingHalf {
  readonly kind: 'missing';
  /** At least one; the first is one that a person can act on. */
  readonly reasons: readonly DegradedReason[];
}

export interface FoundHalf {
  readonly kind: 'found';
  /** Nearest first. */
  readonly matches: readonly SemanticMatch[];
  /** Whether there may be more than were searched for. */
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
  /** The provider failed and is paused for now: no query is sent to it. */
  readonly heldReason: DegradedReason | undefined;
  /** The database's time: later pages show the vectors of this moment. */
  readonly databaseNow: Date;
  readonly corpus: CorpusTerms;
}

export interface MissingTerms extends MissingHalf {
  /** Undefined if it does not matter: embedding is disabled for the account, or nothing is embedded yet. */
  readonly corpus: CorpusTerms | undefined;
}

/** Data that tells how far the account's corpus is embedded. */
export interface CorpusTerms {
  readonly setting: WalkSetting;
  /** Today's cap was used up before everything was embedded. */
  readonly isHeldByCap: boolean;
}
