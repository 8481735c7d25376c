export interface S3Options {
  /** URL of the server, which may have a path, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Prefix of every key, prepended unchanged; '' for none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token that belongs to temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** True if the bucket is put into the path, which every server supports, instead of into the host name. */
  readonly pathStyle: boolean;
  /** Encryption that is requested for every object; if undefined, the setting of the bucket applies. */
  readonly encryption?: 'AES256' | 'aws:kms' | undefined;
  /** Time limit in milliseconds for a response to begin, and for a transfer to make progress. */
  readonly timeoutMs: number;
  /** Delays in milliseconds before the second, third, ... attempt; each is varied at random by up to half. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}
