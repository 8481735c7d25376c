import type { SecretBox } from '@steward/crypto';

/** Options of approval mails. */
export interface MailOptions {
  /** Sender; undefined: this deployment sends no mail. */
  readonly from: string | undefined;
  /** URL prefix to which the token of a link is appended. */
  readonly linkBase: string;
  /** Seals mail until it is sent. */
  readonly secretBox: SecretBox;
}
