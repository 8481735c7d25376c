export interface EmbeddingCall {
  /** `/embeddings` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** At least one, none of them empty. */
  readonly inputs: readonly string[];
  /** Covers everything from the name look-up to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A `detail` uses our own words: neither the key nor any text of the provider except a short error code. */
export type EmbeddingOutcome =
  | {
      readonly kind: 'embedded';
      /** One per input, in the same order, all of one width. */
      readonly vectors: readonly Float32Array[];
      /** The provider's count; undefined if it gave none. */
      readonly promptTokens: number | undefined;
    }
  /** Too many calls; the same call may succeed later. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | undefined }
  /** Somebody has to change the endpoint, the key or the model: no input would be embedded. */
  | { readonly kind: 'misconfigured'; readonly status: number | undefined; readonly detail: string }
  /** The provider refuses these inputs. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  /** Unavailable, slow, cut off or aborted by the caller. */
  | {
      readonly kind: 'unavailable';
      readonly detail: string;
      /** The request may have arrived and been processed: a cost count has to include it. */
      readonly mayBeBilled?: true;
    };

export interface EmbeddingClient {
  /** Never rejects. */
  embed(call: EmbeddingCall): Promise<EmbeddingOutcome>;
  close(): Promise<void>;
}
