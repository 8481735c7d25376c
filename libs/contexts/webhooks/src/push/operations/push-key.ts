import { createECDH } from 'node:crypto';
import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { PUSH_KEY_CONTEXT } from '../push-subscription.ts';
import { findPushKey, insertPushKey } from '../store/push-key.store.ts';

/** Key pair that identifies this deployment to push services (VAPID, RFC 8292), encoded as base64url. */
export interface PushKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Creates the deployment's key pair if there is none, and returns its public key. */
export async function ensurePushKey(db: AnyDatabase, secretBox: Pick<SecretBox, 'seal'>): Promise<string> {
  const known = await findPushKey(db);
  if (known !== undefined) return known.publicKey;
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  const sealed = secretBox.seal(pair.getPrivateKey().toString('base64url'), PUSH_KEY_CONTEXT);
  await insertPushKey(db, { publicKey, sealed });
  return (await findPushKey(db))?.publicKey ?? publicKey;
}

/**
 * Returns the deployment's key pair; undefined until a gateway has started.
 * @throws if the key pair was encrypted with another key
 */
export async function openPushKey(
  db: AnyDatabase,
  secretBox: Pick<SecretBox, 'open'>,
): Promise<PushKeyPair | undefined> {
  const stored = await findPushKey(db);
  if (stored === undefined) return undefined;
  return { publicKey: stored.publicKey, privateKey: secretBox.open(stored.sealed, PUSH_KEY_CONTEXT) };
}
