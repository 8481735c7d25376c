export const LIFECYCLE_STATES = ['active', 'suspended', 'retired'] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

export const WAYS_IN = ['operator_registration', 'discovery', 'runtime'] as const;
export type WayIn = (typeof WAYS_IN)[number];

export interface AgentKey {
  readonly accountId: string;
  readonly id: string;
}

/** What is known of an agent. */
export interface Agent extends AgentKey {
  readonly agentKind: string;
  readonly displayName: string;
  /** Whose sessions are its own, for what has no key of its own. */
  readonly source: { readonly type: string; readonly id: string } | undefined;
  readonly ownerUserId: string | null;
  readonly tags: readonly string[];
  readonly enrolledVia: WayIn;
  readonly lifecycleState: LifecycleState;
  readonly lifecycleReason: string | null;
  /** The agent it turned out to be. */
  readonly mergedInto: string | null;
  /** A duplicate came to it since it was onboarded last. */
  readonly isMergedSinceOnboarding: boolean;
  readonly lastSeenAt: Date | null;
  readonly lastModelCallAt: Date | null;
  /** It asked whether it may call a tool that does not run through the service. */
  readonly lastPermissionCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
