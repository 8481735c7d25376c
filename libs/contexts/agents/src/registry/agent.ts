export const LIFECYCLE_STATES = ['active', 'suspended', 'retired'] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

export const REGISTRATION_METHODS = ['operator_registration', 'discovery', 'runtime'] as const;
export type RegistrationMethod = (typeof REGISTRATION_METHODS)[number];

export interface AgentKey {
  readonly accountId: string;
  readonly id: string;
}

/** A registered agent. */
export interface Agent extends AgentKey {
  readonly agentKind: string;
  readonly displayName: string;
  /** Identifies the sessions of an agent that does not have a separate key. */
  readonly source: { readonly type: string; readonly id: string } | undefined;
  readonly ownerUserId: string | null;
  readonly tags: readonly string[];
  readonly enrolledVia: RegistrationMethod;
  readonly lifecycleState: LifecycleState;
  readonly lifecycleReason: string | null;
  /** Id of the agent that this one was merged into. */
  readonly mergedInto: string | null;
  /** Whether a duplicate has been merged into this agent since this agent was last onboarded. */
  readonly isMergedSinceOnboarding: boolean;
  readonly lastSeenAt: Date | null;
  readonly lastModelCallAt: Date | null;
  /** Time of the last permission check that the agent requested before a tool call. */
  readonly lastPermissionCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
