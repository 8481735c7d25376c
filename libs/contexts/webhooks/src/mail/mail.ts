/** An email that is queued for the mail server. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Value stored instead of an endpoint's address, because only the dispatcher has the address of the mail server. */
export const MAIL_URL = 'smtp:';
