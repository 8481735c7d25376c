export interface EmbeddingCall {
  /** Base URL, to which `/embeddings` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Texts to embed: at least one, none of them empty. */
  readonly inputs: readonly string[];
  /** Time limit in milliseconds, from the name look-up to the last byte of the response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Outcome of a call. Steward itself writes the text in `detail`: it contains neither the key nor any text from the
 * provider except a short error code.
 */
export type EmbeddingOutcome =
  | {
      readonly kind: 'embedded';
      /** Vectors, one per input, in the same order, all with the same number of dimensions. */
      readonly vectors: readonly Float32Array[];
      /** The token count reported by the provider; undefined if it reported none. */
      readonly promptTokens: number | undefined;
    }
  /**
   * Outcome if there were too many calls, or the provider was overloaded (503 with Retry-After); the same call may
   * succeed later.
   */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | undefined }
  /** Outcome if no input can be embedded until the endpoint, the key or the model is changed. */
  | { readonly kind: 'misconfigured'; readonly status: number | undefined; readonly detail: string }
  /** Outcome if the provider rejects these inputs. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  /**
   * Outcome if the provider was unavailable or slow, the connection was interrupted, or the caller aborted the call.
   */
  | {
      readonly kind: 'unavailable';
      readonly detail: string;
      /** True if the provider may have received and processed the request, so that the cost has to include the call. */
      readonly mayBeBilled?: true;
    };

export interface EmbeddingClient {
  /** Embeds texts; never rejects. */
  embed(call: EmbeddingCall): Promise<EmbeddingOutcome>;
  close(): Promise<void>;
}
