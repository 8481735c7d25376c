/** The endpoints to which an operation applies: all of an account, or only those of one group. */
export interface EndpointScope {
  readonly accountId: string;
  readonly group?: string | undefined;
}
