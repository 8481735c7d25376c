import { isLoopbackHost, SettingsError } from '@steward/process';
import type { S3Options } from './s3-options.ts';

/**
 * Values of the settings that describe a bucket; each context has its own settings, whose names begin with its prefix.
 */
export interface S3SettingValues extends Pick<S3Options, 'region' | 'prefix' | 'pathStyle'> {
  readonly endpoint: string | undefined;
  /** True if an unencrypted connection to another machine is allowed. */
  readonly allowHttp: boolean;
  readonly bucket: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly sessionToken: string | undefined;
  /** `bucket`: the setting of the bucket applies. */
  readonly encryption: 'bucket' | 'AES256' | 'aws:kms';
  readonly timeoutSeconds: number;
}

export interface S3SettingNames {
  /** Prefix of the names of the settings, such as `EVIDENCE_S3`. */
  readonly variables: string;
  /** Name of the setting that makes the others necessary, used in errors. */
  readonly neededBy: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*$/;

/** Checks the settings of a bucket. @throws SettingsError with one line for each invalid setting */
export function readS3Options(values: S3SettingValues, { variables, neededBy }: S3SettingNames): S3Options {
  const problems: string[] = [];
  const demand = (value: string | undefined, name: string): string => {
    if (value === undefined) problems.push(`${variables}_${name} is not set, and ${neededBy} needs it`);
    return value ?? '';
  };
  const options: S3Options = {
    endpoint: demand(values.endpoint, 'ENDPOINT'),
    bucket: demand(values.bucket, 'BUCKET'),
    region: values.region,
    prefix: values.prefix,
    accessKeyId: demand(values.accessKeyId, 'ACCESS_KEY_ID'),
    secretAccessKey: demand(values.secretAccessKey, 'SECRET_ACCESS_KEY'),
    sessionToken: values.sessionToken,
    pathStyle: values.pathStyle,
    encryption: values.encryption === 'bucket' ? undefined : values.encryption,
    timeoutMs: values.timeoutSeconds * 1000,
  };
  if (values.endpoint !== undefined) problems.push(...checkEndpoint(values.endpoint, variables, values.allowHttp));
  if (values.bucket !== undefined && !BUCKET.test(options.bucket))
    problems.push(`${variables}_BUCKET must be a bucket name: 3 to 63 lower-case letters, digits, dots and dashes`);
  if (!/^[a-z0-9-]{1,64}$/.test(options.region))
    problems.push(`${variables}_REGION must be lower-case letters, digits and dashes`);
  if (options.prefix.length > 256 || !PREFIX.test(options.prefix))
    problems.push(
      `${variables}_PREFIX must end with "/" and otherwise consist of letters, digits, dots, dashes and underscores`,
    );
  if (problems.length > 0) throw new SettingsError(problems);
  return options;
}

function checkEndpoint(endpoint: string, variables: string, allowHttp: boolean): string[] {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  // The invalid value is not quoted: it may contain a password.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return [`${variables}_ENDPOINT must be a URL starting with https://, without credentials`];
  if (url.search !== '' || url.hash !== '') return [`${variables}_ENDPOINT must be a URL without a query`];
  if (url.protocol === 'https:' || allowHttp || isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ''))) return [];
  return [
    `${variables}_ENDPOINT must start with https:// unless it is on this machine (or set ${variables}_ALLOW_HTTP=true)`,
  ];
}
