import type { Principal } from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import type { Logger } from '@steward/process';
import type { AuditQueue } from '@steward/api';
import type { FindSession } from '@steward/sessions';
import type { HoldDeps } from '../approvals/wait-for-request.ts';
import type { RunLeases } from '../approvals/run-leases.ts';
import type { ToolSource } from '../tool.ts';
import type { CallRecords } from './call-records.ts';

/** Dependencies of tool calls. */
export interface CallDeps extends HoldDeps {
  readonly source: ToolSource;
  readonly leases: RunLeases;
  readonly records: CallRecords;
  readonly findSession: FindSession;
  /** Finds the kind of the agent that the key of a caller is bound to. */
  readonly findKind: (principal: Principal) => Promise<string | undefined>;
  /** Encrypts and decrypts waiting calls and their results. */
  readonly approvedCalls: SecretBox;
  readonly searchAudits: AuditQueue;
  readonly logger: Logger;
}
