export const ENROLLMENT_STATUSES = ['pending', 'applied', 'validated', 'failed', 'restored'] as const;
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number];

/** Initial statuses of an enrollment. */
export const FIRST_STATUSES = ['pending', 'applied', 'validated'] as const;

/** A change to the configuration of an agent that makes the agent use the service. */
export interface Enrollment {
  readonly accountId: string;
  readonly id: string;
  readonly agentId: string;
  readonly enrollmentType: string;
  readonly adapterKey: string | null;
  readonly targetConfigPath: string | null;
  readonly status: EnrollmentStatus;
  readonly isGatewayRouted: boolean;
  readonly isMcpRewritten: boolean;
  readonly mcpServerCount: number;
  readonly candidateId: string | null;
  readonly message: string | null;
  /** Time of the first validation. */
  readonly onboardedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
