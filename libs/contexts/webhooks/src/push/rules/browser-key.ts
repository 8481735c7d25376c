import { ECDH } from 'node:crypto';

/** First byte of a public key that contains both coordinates. */
const UNCOMPRESSED = 4;

/**
 * Returns whether the text is a public key with which a message can be encrypted: a point on the curve. With any other
 * text, every attempt to send a message would fail with an internal error of this service. The message would be retried
 * forever, because such errors are not counted as attempts.
 */
export function isBrowserKey(p256dh: string): boolean {
  if (Buffer.from(p256dh, 'base64url')[0] !== UNCOMPRESSED) return false;
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}
