import { ECDH } from 'node:crypto';

/** First byte of a public key that contains both coordinates. */
const UNCOMPRESSED = 4;

/**
 * Whether the text is a public key to which a message can be encrypted: a point of the curve. With any other text every
 * message would be a fault of this service, which uses no attempt and so never ends.
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
