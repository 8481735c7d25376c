import type { SecretBox } from '@steward/crypto';

/** Options of emails about approvals. */
export interface MailOptions {
  /** Sender; undefined if this deployment sends no email. */
  readonly from: string | undefined;
  /** URL prefix to which the token of a link is appended. */
  readonly linkBase: string;
  /** Seals emails until they are sent. */
  readonly secretBox: SecretBox;
}
