import type { SecretBox } from '@steward/crypto';
import type { Mail } from './mail.ts';

/**
 * Decrypts a mail.
 * @throws if the mail was encrypted with another key, or the bytes are not a mail of this endpoint
 */
export function openMail(body: Buffer, endpointId: string, secretBox: Pick<SecretBox, 'open'>): Mail {
  return JSON.parse(secretBox.open(body, endpointId)) as Mail;
}
