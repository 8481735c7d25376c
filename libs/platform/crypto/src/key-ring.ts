import { createHmac, hkdfSync } from 'node:crypto';

/** Kinds of secret, each under a key of its own: whoever holds one key opens nothing of another kind. */
export const KEY_PURPOSES = {
  /** Signing secrets of webhook endpoints: sealed by the gateway, opened by the dispatcher. */
  endpoint: 'webhook-endpoint',
  /** Secrets in the webhook URLs of flows: the gateway alone. */
  flowWebhook: 'flow-webhook',
  /** What agents of flows are given: sealed by the gateway, opened by the worker that runs them. */
  flowAgent: 'flow-agent',
  /** Keys of embedding providers: sealed by the gateway, which embeds queries, opened by the indexer as well. */
  embedding: 'embedding-provider',
  /** Keys of model providers: the gateway alone. */
  model: 'model-provider',
  /** What tool servers are sent to know us by: the gateway alone. */
  toolServer: 'tool-server',
  /** Tokens of trackers: the gateway alone. */
  tracker: 'tracker',
  /** Calls that wait for an approval, and what they answered: the gateway alone. */
  approvedCall: 'approved-call',
} as const;

export type KeyPurpose = (typeof KEY_PURPOSES)[keyof typeof KEY_PURPOSES];

/** The settings through which an app without SECRET_KEY gets the one key it needs. */
export const DERIVED_KEY_VARIABLES = {
  ENDPOINT_SECRET_KEY: KEY_PURPOSES.endpoint,
  FLOW_SECRET_KEY: KEY_PURPOSES.flowAgent,
  EMBEDDING_SECRET_KEY: KEY_PURPOSES.embedding,
} as const satisfies Readonly<Record<string, KeyPurpose>>;

const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;

/** The key of one purpose as 64 hexadecimal digits. SECRET_KEY cannot be computed back from it. */
export function deriveKey(secretKey: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, 'steward-secret-box', purpose, KEY_BYTES)).toString('hex');
}

/** Keys of one purpose, the current one first, in the order of the SECRET_KEYs they come from. */
export function deriveKeys(secretKeys: readonly string[], purpose: string): readonly string[] {
  return secretKeys.map((secretKey) => deriveKey(secretKey, purpose));
}

/** Names a key without giving anything of it away: stands in front of what is sealed, and in the header of a token. */
export function identifyKey(key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('steward-key-id').digest().subarray(0, KEY_ID_BYTES);
}
