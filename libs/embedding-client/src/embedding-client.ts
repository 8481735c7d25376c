export interface EmbeddingCall {
  /** `/embeddings` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** At least one, none of them empty. */
  readonly inputs: readonly string[];
  /** For all of it, from the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A `detail` is in our own words: neither the key nor anything the provider wrote but a short error code. */
export type EmbeddingOutcome =
  | {
      readonly kind: 'embedded';
      /** One per input, in their order, all of one width. */
      readonly vectors: readonly Float32Array[];
      /** As the provider counted; undefined when it did not say. */
      readonly promptTokens: number | undefined;
    }
  /** Asked too often; the same call may be fine later. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | undefined }
  /** The endpoint, the key or the model has to be changed by somebody: no input would be embedded. */
  | { readonly kind: 'misconfigured'; readonly status: number | undefined; readonly detail: string }
  /** The provider will not have these inputs. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  /** Down, slow, cut off or given up by the caller. */
  | {
      readonly kind: 'unavailable';
      readonly detail: string;
      /** The request may have arrived and been worked on: whoever counts money counts it. */
      readonly mayBeBilled?: true;
    };

export interface EmbeddingClient {
  /** Never rejects. */
  embed(call: EmbeddingCall): Promise<EmbeddingOutcome>;
  close(): Promise<void>;
}
