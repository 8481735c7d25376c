/** A response that continues at its provider after the call has returned. */
export interface BackgroundResponse {
  readonly accountId: string;
  /** Id of the call and of its usage row. */
  readonly callId: string;
  /** Id of the response at the provider. */
  readonly responseId: string;
  /** Identifies the run, agent or user that created the response; no other caller may read the response. */
  readonly owner: string;
  readonly modelId: string;
  readonly modelAlias: string;
  /** Data for the usage row: plain JSON, defined by the code that stores it. */
  readonly call: object;
  readonly createdAt: Date;
  /** True if the end of the response has not been recorded yet. */
  readonly isOpen: boolean;
  /** Number of checks in which the provider did not find the response. */
  readonly misses: number;
}
