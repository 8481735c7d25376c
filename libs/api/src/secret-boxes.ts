import { createSecretBox, KEY_PURPOSES, type SecretBox } from '@steward/crypto';

/** Opens and seals stored secrets, with a key for each purpose. */
export interface SecretBoxes {
  readonly webhook: SecretBox;
  readonly flow: SecretBox;
  readonly flowAgent: SecretBox;
  readonly embedding: SecretBox;
  readonly model: SecretBox;
  readonly toolServer: SecretBox;
  readonly tracker: SecretBox;
  readonly approvedCall: SecretBox;
  readonly sessionContent: SecretBox;
}

export function createSecretBoxes(secretKeys: readonly [string, ...string[]]): SecretBoxes {
  return {
    webhook: createSecretBox(secretKeys, KEY_PURPOSES.endpoint),
    flow: createSecretBox(secretKeys, KEY_PURPOSES.flowWebhook),
    flowAgent: createSecretBox(secretKeys, KEY_PURPOSES.flowAgent),
    embedding: createSecretBox(secretKeys, KEY_PURPOSES.embedding),
    model: createSecretBox(secretKeys, KEY_PURPOSES.model),
    toolServer: createSecretBox(secretKeys, KEY_PURPOSES.toolServer),
    tracker: createSecretBox(secretKeys, KEY_PURPOSES.tracker),
    approvedCall: createSecretBox(secretKeys, KEY_PURPOSES.approvedCall),
    sessionContent: createSecretBox(secretKeys, KEY_PURPOSES.sessionContent),
  };
}
