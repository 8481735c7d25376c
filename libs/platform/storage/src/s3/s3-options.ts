export interface S3Options {
  /** Scheme, host and port of the server, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Stands before every key, as it is; '' for none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that were lent for a time. */
  readonly sessionToken?: string | undefined;
  /** The bucket as the first segment of the path, which every server understands, instead of in the host name. */
  readonly pathStyle: boolean;
  /** Asked for with every object; undefined leaves it to the bucket. */
  readonly encryption?: 'AES256' | 'aws:kms' | undefined;
  /** How long one answer may take to begin, and how long a transfer may stand still. */
  readonly timeoutMs: number;
  /** Before the second, third, ... attempt; each is spread by half. */
  readonly retryDelaysMs?: readonly number[] | undefined;
}
