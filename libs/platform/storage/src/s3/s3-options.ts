export interface S3Options {
  /** Scheme, host and port of the server, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Prepended unchanged to every key; '' for none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** Puts the bucket into the path, which every server supports, instead of into the host name. */
  readonly pathStyle: boolean;
  /** Requested for every object; if undefined, the setting of the bucket applies. */
  readonly encryption?: 'AES256' | 'aws:kms' | undefined;
  /** Time limit for the beginning of a response, and for a stalled transfer. */
  readonly timeoutMs: number;
  /** Delays before the second, third, ... attempt; each is spread by half. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}
