import { createECDH, randomBytes } from 'node:crypto';
import type { PushKeyPair, PushKeys } from '@steward/webhooks';
import { encrypt } from 'http_ece';
import { importJWK, SignJWT } from 'jose';

/**
 * Encrypts a message so that only the browser with these keys can read it (RFC 8291). Each message has its own key
 * pair.
 */
export function encryptMessage(text: string, { p256dh, auth }: PushKeys): Buffer {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return encrypt(Buffer.from(text), {
    version: 'aes128gcm',
    dh: p256dh,
    privateKey: pair,
    salt: randomBytes(16).toString('base64url'),
    authSecret: auth,
  });
}

/** Validity of a signature; push services accept at most 24 hours. */
const VALID_SECONDS = 12 * 3600;

export interface VapidFacts {
  readonly key: PushKeyPair;
  readonly endpoint: string;
  /** A contact of the sender: an https or a mailto URL. */
  readonly subject: string;
  readonly now: Date;
}

/** Returns the header that identifies this deployment to the push service of a subscription (RFC 8292). */
export async function signVapid({ key, endpoint, subject, now }: VapidFacts): Promise<string> {
  const { publicKey, privateKey } = key;
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const signer = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey }, 'ES256');
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + VALID_SECONDS)
    .setSubject(subject)
    .sign(signer);
  return `vapid t=${token}, k=${publicKey}`;
}
