/** A response that continues at its provider after the call has returned. */
export interface BackgroundResponse {
  readonly accountId: string;
  /** Id of the call; its usage row has the same. */
  readonly callId: string;
  /** Id at the provider. */
  readonly responseId: string;
  /** The owner: no other caller may read the response. */
  readonly owner: string;
  readonly modelId: string;
  readonly modelAlias: string;
  /** Plain JSON, defined by the code that stores it. */
  readonly call: object;
  readonly createdAt: Date;
  /** True if its end has not been seen yet. */
  readonly isOpen: boolean;
  /** Number of checks in which the provider did not find it. */
  readonly misses: number;
}
