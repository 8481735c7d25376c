/** An email that is queued for the mail server. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Fixed URL of the account's email endpoint, because only the dispatcher knows the address of the mail server. */
export const MAIL_URL = 'smtp:';
