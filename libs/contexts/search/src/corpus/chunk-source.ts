import type { SourceKind } from '@steward/contracts';
import type { MaskedPart } from './rules/mask-indexed-part.ts';

/** Kind of a chunk's text: unchanged, with masked credentials, or only metadata because bodies are not captured. */
export type RedactionState = 'clear' | 'redacted' | 'metadata_only';

type Optional = string | null | undefined;

/** One text of a session to be added to the corpus, identified by (accountId, sourceKind, sourceId). */
export interface ChunkSource {
  readonly accountId: string;
  readonly runtimeSessionId: string;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly text: string;
  /**
   * The part of the text that is indexed, without credentials, as returned by `maskIndexedPart`; by default computed
   * when the chunks are written.
   */
  readonly masked?: MaskedPart | undefined;
  readonly redactionState: 'clear' | 'metadata_only';
  readonly modelAlias?: Optional;
  readonly providerName?: Optional;
  readonly runtimePrincipalId?: Optional;
  readonly apiKeyId?: Optional;
  readonly flowId?: Optional;
  readonly status?: Optional;
  /** Trace of the request that sent the text; default: that of the transaction. */
  readonly traceparent?: string | undefined;
}
