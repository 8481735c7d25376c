import { createHmac, hkdfSync } from 'node:crypto';

/** Kinds of secrets. Each kind has its own key, which cannot decrypt secrets of another kind. */
export const KEY_PURPOSES = {
  /**
   * Signing secrets and addresses of webhook endpoints, addresses of the receivers of approvals, and the key for push
   * notifications: used by the gateway and the dispatcher.
   */
  endpoint: 'webhook-endpoint',
  /** Secrets of the webhooks of flows, in their URLs and for signatures: only the gateway uses this key. */
  flowWebhook: 'flow-webhook',
  /**
   * Credentials of flow agents, secrets of flows, and the descriptions of tool servers that the worker runs: used by
   * the gateway and the worker.
   */
  flowAgent: 'flow-agent',
  /**
   * Keys of embedding providers: encrypted by the gateway; decrypted by the gateway, which embeds queries, and by the
   * indexer.
   */
  embedding: 'embedding-provider',
  /** Keys of model providers: only the gateway uses this key. */
  model: 'model-provider',
  /** Credentials for tool servers, and their addresses: only the gateway uses this key. */
  toolServer: 'tool-server',
  /** Tokens of trackers: only the gateway uses this key. */
  tracker: 'tracker',
  /** Calls that wait for an approval, and their results: only the gateway uses this key. */
  approvedCall: 'approved-call',
  /**
   * Keys of accounts for content in the object store: used by the gateway, and by the sweeper, which moves the content.
   */
  sessionContent: 'session-content',
} as const;

export type KeyPurpose = (typeof KEY_PURPOSES)[keyof typeof KEY_PURPOSES];

/** Settings of apps that run without SECRET_KEY: each setting contains the key of one purpose. */
export const DERIVED_KEY_VARIABLES = {
  ENDPOINT_SECRET_KEY: KEY_PURPOSES.endpoint,
  FLOW_SECRET_KEY: KEY_PURPOSES.flowAgent,
  EMBEDDING_SECRET_KEY: KEY_PURPOSES.embedding,
  CONTENT_SECRET_KEY: KEY_PURPOSES.sessionContent,
} as const satisfies Readonly<Record<string, KeyPurpose>>;

const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;

/** Derives the key of one purpose, as 64 hexadecimal digits. SECRET_KEY cannot be computed from it. */
export function deriveKey(secretKey: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, 'steward-secret-box', purpose, KEY_BYTES)).toString('hex');
}

/** Derives the keys of one purpose, in the order of `secretKeys`: the current one first. */
export function deriveKeys(secretKeys: readonly string[], purpose: string): readonly string[] {
  return secretKeys.map((secretKey) => deriveKey(secretKey, purpose));
}

/**
 * Returns the id of a key, which reveals nothing about the key. The prefix of encrypted values and the header of access
 * tokens contain this id.
 */
export function identifyKey(key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('steward-key-id').digest().subarray(0, KEY_ID_BYTES);
}
