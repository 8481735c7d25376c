import type { AnyDatabase, HintPublisher } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { sealStoredSecrets } from '@steward/flows';
import type { SecretBoxes } from '@steward/api';

/**
 * Interval of the task. The task is repeated after startup because a gateway of the previous release may still be
 * running and storing plaintext.
 */
const EVERY_SECONDS = 600;

export interface SealFlowSecretsDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly secretBoxes: Pick<SecretBoxes, 'flowAgent'>;
  readonly logger: Logger;
}

/**
 * Creates the task that seals the secrets that an earlier release stored in plaintext. It runs in the gateway, which
 * encrypts all secrets of flows.
 */
export function createSealFlowSecrets(deps: SealFlowSecretsDeps): Component {
  return createBackgroundTask({
    name: 'seal flow secrets',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
    run: async (signal) => {
      const flows = await sealStoredSecrets(deps, deps.secretBoxes.flowAgent, signal);
      if (flows > 0) deps.logger.info('flow_secrets.sealed', { flows });
    },
  });
}
