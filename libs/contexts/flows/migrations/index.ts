import type { SliceMigrations } from '@steward/database';
import { createFlow } from './0001_create_flow.ts';
import { createExecution } from './0002_create_execution.ts';
import { limitAccount } from './0003_limit_account.ts';
import { sharePlaces } from './0004_share_places.ts';
import { confineWorker } from './0005_confine_worker.ts';
import { sealSecrets } from './0006_seal_secrets.ts';
import { listEnded } from './0007_list_ended.ts';
import { carryTrace } from './0008_carry_trace.ts';
import { listEndedForGateway } from './0009_list_ended_for_gateway.ts';
import { reportVulnerabilities } from './0010_report_vulnerabilities.ts';
import { haltAccounts } from './0011_halt_accounts.ts';
import { claimBesideJoiners } from './0012_claim_beside_joiners.ts';
import { confineNetwork } from './0013_confine_network.ts';
import { readSources } from './0014_read_sources.ts';
import { createSchedule } from './0015_create_schedule.ts';
import { readBacklog } from './0016_read_backlog.ts';
import { readBacklogInGateway } from './0017_read_backlog_in_gateway.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const flowsMigrations: SliceMigrations = {
  schema: 'flows',
  migrations: {
    '0001_create_flow': createFlow,
    '0002_create_execution': createExecution,
    '0003_limit_account': limitAccount,
    '0004_share_places': sharePlaces,
    '0005_confine_worker': confineWorker,
    '0006_seal_secrets': sealSecrets,
    '0007_list_ended': listEnded,
    '0008_carry_trace': carryTrace,
    '0009_list_ended_for_gateway': listEndedForGateway,
    '0010_report_vulnerabilities': reportVulnerabilities,
    '0011_halt_accounts': haltAccounts,
    '0012_claim_beside_joiners': claimBesideJoiners,
    '0013_confine_network': confineNetwork,
    '0014_read_sources': readSources,
    '0015_create_schedule': createSchedule,
    '0016_read_backlog': readBacklog,
    '0017_read_backlog_in_gateway': readBacklogInGateway,
  },
};
