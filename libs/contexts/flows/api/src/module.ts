import { createEvidenceStores } from '@steward/flows';
import type { DueTasks } from '@steward/database';
import { tagRoutes } from '@steward/http';
import { createExecutionRetention, type ExecutionRetentionDeps } from './background/execution-retention.ts';
import { createSealFlowSecrets, type SealFlowSecretsDeps } from './background/seal-flow-secrets.ts';
import { createTriggerIntake, type TriggerIntakeDeps } from './triggers/trigger-intake.ts';
import type { Module, ReplicaDeps } from '@steward/api';
import { createArrivalsRoutes } from './arrivals/index.ts';
import { createSchedulesRoutes } from './schedules/index.ts';
import type { FlowDeps } from './flow-deps.ts';
import type { HookDeps } from './hooks/hook-deps.ts';
import { createHookLoop } from './hooks/hook-loop.ts';
import { createRegisterHookRoute } from './hooks/register-hook.ts';
import { createTriggerRoutes } from './triggers/index.ts';
import { createFlowsRoutes } from './flows-routes.ts';
import { createFlowSecretsRoutes } from './secrets/index.ts';
import { createSharedReads } from './shared-reads.ts';

type Given = Omit<FlowDeps, 'evidenceStores'> &
  TriggerIntakeDeps &
  SealFlowSecretsDeps &
  ExecutionRetentionDeps &
  HookDeps &
  ReplicaDeps & {
    readonly dueTasks: DueTasks;
    readonly settings: Parameters<typeof createEvidenceStores>[0];
  };

/**
 * Creates the module for flows and for their secrets, triggers, arrivals, schedules, executions and hooks at trackers.
 */
export function createFlowsModule(given: Given): Module {
  const { settings, logger } = given;
  const evidenceStores = createEvidenceStores(settings);
  const deps = { ...given, evidenceStores };
  const triggers = createTriggerIntake(given);
  return {
    routes: [
      ...createFlowsRoutes({ ...deps, sharedReads: createSharedReads() }),
      ...createFlowSecretsRoutes(deps),
      ...createTriggerRoutes({ ...given, triggers }),
      ...createArrivalsRoutes({ ...given, triggers }),
      ...createSchedulesRoutes({ ...given, triggers }),
      ...tagRoutes('flows', [createRegisterHookRoute(given)]),
    ],
    components: [
      {
        name: 'evidence stores',
        // The check is not awaited: an unavailable evidence store must not prevent this module from starting, since
        // downloads of evidence are only one of its many functions.
        start() {
          evidenceStores.current.check().catch((error: unknown) => logger.warn('evidence.store_not_ready', { error }));
        },
      },
      { name: 'triggers', stop: () => triggers.drain() },
      createSealFlowSecrets(deps),
      createHookLoop(given),
      ...createExecutionRetention(given),
    ],
  };
}
