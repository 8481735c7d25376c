import type { SecretBox } from '@steward/crypto';
import type { Mail } from './mail.ts';

/**
 * Decrypts an email.
 * @throws if the email was encrypted with another key, or the bytes are not an email of this endpoint
 */
export function openMail(body: Buffer, endpointId: string, secretBox: Pick<SecretBox, 'open'>): Mail {
  return JSON.parse(secretBox.open(body, endpointId)) as Mail;
}
