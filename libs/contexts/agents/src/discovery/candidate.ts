export const CANDIDATE_STATUSES = ['new', 'onboarded', 'ignored'] as const;
export type CandidateStatus = (typeof CANDIDATE_STATUSES)[number];

export const OS_FAMILIES = ['darwin', 'linux', 'windows', 'other'] as const;
export type OsFamily = (typeof OS_FAMILIES)[number];

/** An agent that a workstation reported, identified only by hashes. */
export interface Candidate {
  readonly accountId: string;
  readonly id: string;
  /** 64 hexadecimal digits, like `configPathHash`. */
  readonly workstationFingerprint: string;
  readonly agentKind: string;
  readonly configPathHash: string;
  readonly agentVersion: string | null;
  readonly mcpServerCount: number;
  /** Whether the first report of the agent stated that it was already enrolled. */
  readonly isEnrolled: boolean;
  readonly osFamily: OsFamily;
  readonly status: CandidateStatus;
  /** Id of the agent that was created from the candidate. */
  readonly agentId: string | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}
