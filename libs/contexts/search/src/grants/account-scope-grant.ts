/** Kinds of subjects of a grant, in the order in which they are looked up (SRCH-62). */
export const GRANT_SUBJECT_TYPES = ['api_key', 'managed_agent', 'account'] as const;

export type GrantSubjectType = (typeof GRANT_SUBJECT_TYPES)[number];

/**
 * A grant that allows agents to search the sessions of their whole account. A grant with `isGranted` set to false
 * forbids such searches; it also ends the lookup.
 */
export interface AccountScopeGrant {
  readonly subjectType: GrantSubjectType;
  /** Id of the API key, of the managed agent as stated in its API key, or of the account. */
  readonly subjectId: string;
  readonly isGranted: boolean;
}

/** Change of a grant by a save; `before` is undefined for a new grant, `after` for a removed one. */
export interface GrantChange extends Omit<AccountScopeGrant, 'isGranted'> {
  readonly before: boolean | undefined;
  readonly after: boolean | undefined;
}
