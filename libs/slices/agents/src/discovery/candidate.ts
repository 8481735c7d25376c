export const CANDIDATE_STATUSES = ['new', 'onboarded', 'ignored'] as const;
export type CandidateStatus = (typeof CANDIDATE_STATUSES)[number];

export const OS_FAMILIES = ['darwin', 'linux', 'windows', 'other'] as const;
export type OsFamily = (typeof OS_FAMILIES)[number];

/** An agent that a workstation reported, known by hashes alone. */
export interface Candidate {
  readonly accountId: string;
  readonly id: string;
  /** 64 hexadecimal digits, as the hash of the path. */
  readonly workstationFingerprint: string;
  readonly agentKind: string;
  readonly configPathHash: string;
  readonly agentVersion: string | null;
  readonly mcpServerCount: number;
  /** It said of itself that it is pointed at the service. */
  readonly isEnrolled: boolean;
  readonly osFamily: OsFamily;
  readonly status: CandidateStatus;
  /** What it was onboarded as. */
  readonly agentId: string | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}
