import type { DegradedReason } from '@steward/contracts';
import type { EmbeddingProvider } from '../embedding/embedding-setting.ts';
import type { WalkSetting } from '../embedding/rules/describe-walk.ts';
import type { VectorSpace } from '../vectors/vector-space.ts';
import type { SemanticMatch } from './semantic-match.ts';

/** Why the semantic half of a search does not run. */
export interface MissingHalf {
  readonly kind: 'missing';
  /** At least one; the first is what a person can do something about. */
  readonly reasons: readonly DegradedReason[];
}

export interface FoundHalf {
  readonly kind: 'found';
  /** Nearest first. */
  readonly matches: readonly SemanticMatch[];
  /** Whether there may be more than were looked for. */
  readonly isCut: boolean;
}

export interface EmbeddingService {
  readonly provider: EmbeddingProvider;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** What a search by meaning needs to know of its account, or why there is none. */
export type SemanticTerms = ReadyTerms | MissingTerms;

export interface ReadyTerms {
  readonly kind: 'ready';
  readonly service: EmbeddingService;
  readonly space: VectorSpace;
  readonly capUsd: number;
  readonly pricePerMtok: number;
  /** The provider failed and is left alone for now: no query is sent to it. */
  readonly heldReason: DegradedReason | undefined;
  /** The database's time: later pages show the vectors of this moment. */
  readonly databaseNow: Date;
  readonly corpus: CorpusTerms;
}

export interface MissingTerms extends MissingHalf {
  /** Undefined where nothing of it matters: nobody embeds for the account, or nothing is embedded yet. */
  readonly corpus: CorpusTerms | undefined;
}

/** What tells how far the account's corpus is embedded. */
export interface CorpusTerms {
  readonly setting: WalkSetting;
  /** Today's money was spent before everything was embedded. */
  readonly isHeldByCap: boolean;
}
