/** A mail on its way to the server that sends it. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Stands where an endpoint of another kind has its address: which server sends mail is the dispatcher's to know. */
export const MAIL_URL = 'smtp:';
