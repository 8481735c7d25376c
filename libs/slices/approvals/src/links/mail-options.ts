import type { SecretBox } from '@steward/crypto';

/** How approvals are mailed. */
export interface MailOptions {
  /** Sender; undefined: this deployment sends no mail. */
  readonly from: string | undefined;
  /** What the token of a link is put behind. */
  readonly linkBase: string;
  /** Seals mail until it is sent. */
  readonly secretBox: SecretBox;
}
