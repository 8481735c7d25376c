import type { Fault } from '../faults/fault.ts';
import { slowNetworkFault } from '../faults/network-faults.ts';
import { freezeFault, killFault } from '../faults/process-faults.ts';
import {
  failOverFault,
  fullDiskFault,
  loseNatsDataFault,
  loseNatsServerFault,
  restartPostgresFault,
} from '../faults/server-faults.ts';
import { approvalsScenario } from '../scenarios/approvals.ts';
import { executionsScenario } from '../scenarios/executions.ts';
import { modelsScenario } from '../scenarios/models.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { schedulesScenario } from '../scenarios/schedules.ts';
import { searchScenario } from '../scenarios/search.ts';
import { webhooksScenario } from '../scenarios/webhooks.ts';

/** Scenarios by their names on the command line, in the order in which they run. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  // The costs of model calls are final only minutes later; the other scenarios run in the meantime.
  models: modelsScenario,
  executions: executionsScenario,
  approvals: approvalsScenario,
  search: searchScenario,
  schedules: schedulesScenario,
  webhooks: webhooksScenario,
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  kill: killFault,
  freeze: freezeFault,
  postgres: restartPostgresFault,
  failover: failOverFault,
  nats: loseNatsServerFault,
  'nats-data': loseNatsDataFault,
  disk: fullDiskFault,
  network: slowNetworkFault,
};
