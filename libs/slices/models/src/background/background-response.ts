/** A response that goes on at its provider when its call has been answered. */
export interface BackgroundResponse {
  readonly accountId: string;
  /** Of the call: its usage row has the same. */
  readonly callId: string;
  /** As its provider names it. */
  readonly responseId: string;
  /** Who made it: nobody else may read it. */
  readonly owner: string;
  readonly modelId: string;
  readonly modelAlias: string;
  /** Plain JSON of whoever keeps it. */
  readonly call: object;
  readonly createdAt: Date;
  /** Its end was not seen yet. */
  readonly isOpen: boolean;
  /** How often its provider did not know it. */
  readonly misses: number;
}
