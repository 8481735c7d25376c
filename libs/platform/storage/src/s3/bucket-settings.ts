import { setting, type SettingsOf } from '@steward/process';
import type { Bucket } from '../object-store.ts';
import { createS3Store } from './create-s3-store.ts';
import { readS3Options } from './read-s3-options.ts';
import type { S3Options } from './s3-options.ts';

/** Descriptions of the settings that differ between buckets. */
interface BucketDescriptions {
  readonly endpoint: string;
  /**
   * Subject and verb of the clause about the content that `_ALLOW_HTTP` sends unencrypted, for example `evidence is`.
   */
  readonly sent: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly accessKeyId: string;
  /** Noun for one object, for example `archive`. */
  readonly object: string;
}

function describeBucket(
  variables: string,
  { endpoint, sent, bucket, prefix, accessKeyId, object }: BucketDescriptions,
) {
  return {
    Endpoint: setting.text(`${variables}_ENDPOINT`, { description: endpoint }),
    AllowHttp: setting.boolean(`${variables}_ALLOW_HTTP`, {
      default: false,
      description: `Allows http:// for ${variables}_ENDPOINT on another machine; ${sent} then sent over the network unencrypted.`,
    }),
    Bucket: setting.text(`${variables}_BUCKET`, { description: bucket }),
    Region: setting.text(`${variables}_REGION`, {
      default: 'us-east-1',
      description: 'Region used to sign requests; servers without regions use the default.',
    }),
    Prefix: setting.text(`${variables}_PREFIX`, { default: '', description: prefix }),
    AccessKeyId: setting.maskedText(`${variables}_ACCESS_KEY_ID`, { description: accessKeyId }),
    SecretAccessKey: setting.maskedText(`${variables}_SECRET_ACCESS_KEY`, {
      description: 'The secret of the access key.',
    }),
    SessionToken: setting.maskedText(`${variables}_SESSION_TOKEN`, {
      description: 'Session token, if the access key is temporary.',
    }),
    PathStyle: setting.boolean(`${variables}_PATH_STYLE`, {
      default: true,
      description:
        'Whether to put the bucket in the path (https://host/bucket/key); false puts it in the host name (https://bucket.host/key).',
    }),
    Encryption: setting.choice(`${variables}_ENCRYPTION`, ['bucket', 'AES256', 'aws:kms'], {
      default: 'bucket',
      description: `Encryption requested from the server for every ${object}; "bucket" uses the settings of the bucket.`,
    }),
    TimeoutSeconds: setting.number(`${variables}_TIMEOUT_SECONDS`, {
      default: 10,
      min: 0.1,
      max: 300,
      unit: 'seconds',
      description: 'Time limit for the start of a response, and for each interruption of a transfer.',
    }),
  };
}

type BucketFields = ReturnType<typeof describeBucket>;
/** Settings of a bucket; the name of each begins with `Key`. */
export type BucketSettings<Key extends string> = {
  readonly [Field in keyof BucketFields as `${Key}${Field}`]: BucketFields[Field];
};
type BucketValues = SettingsOf<BucketFields>;

const FIELDS = [
  'Endpoint',
  'AllowHttp',
  'Bucket',
  'Region',
  'Prefix',
  'AccessKeyId',
  'SecretAccessKey',
  'SessionToken',
  'PathStyle',
  'Encryption',
  'TimeoutSeconds',
] as const satisfies readonly (keyof BucketFields)[];

/**
 * Declares the settings of a bucket. Each context has its own settings: `key` is the prefix of their keys
 * (`evidenceS3`); `variables` is the prefix of their environment variables (`EVIDENCE_S3`).
 */
export function bucketSettings<const Key extends string>(
  key: Key,
  variables: string,
  descriptions: BucketDescriptions,
): BucketSettings<Key> {
  const fields = describeBucket(variables, descriptions);
  return Object.fromEntries(FIELDS.map((field) => [`${key}${field}`, fields[field]])) as BucketSettings<Key>;
}

function readBucketValues<const Key extends string>(settings: SettingsOf<BucketSettings<Key>>, key: Key): BucketValues {
  const values = settings as Readonly<Record<string, unknown>>;
  return Object.fromEntries(FIELDS.map((field) => [field, values[`${key}${field}`]])) as BucketValues;
}

interface BucketNames<Key extends string> {
  readonly key: Key;
  readonly variables: string;
  /** Name of the setting that makes the others necessary, used in errors; default: the endpoint. */
  readonly neededBy?: string;
}

/** Returns the options of a bucket according to its settings. @throws SettingsError with one line per invalid setting */
function readBucketOptions<const Key extends string>(
  settings: SettingsOf<BucketSettings<Key>>,
  { key, variables, neededBy = `${variables}_ENDPOINT` }: BucketNames<Key>,
): S3Options {
  const values = readBucketValues(settings, key);
  return readS3Options(
    {
      endpoint: values.Endpoint,
      allowHttp: values.AllowHttp,
      bucket: values.Bucket,
      region: values.Region,
      prefix: values.Prefix,
      accessKeyId: values.AccessKeyId,
      secretAccessKey: values.SecretAccessKey,
      sessionToken: values.SessionToken,
      pathStyle: values.PathStyle,
      encryption: values.Encryption,
      timeoutSeconds: values.TimeoutSeconds,
    },
    { variables, neededBy },
  );
}

/** Opens a bucket according to its settings. @throws SettingsError with one line for each invalid setting */
export function openBucket<const Key extends string>(
  settings: SettingsOf<BucketSettings<Key>>,
  names: BucketNames<Key>,
): Bucket {
  return createS3Store(readBucketOptions(settings, names));
}

/** Returns the values of a bucket's settings that must not appear in any log line. */
export function listBucketSecrets<const Key extends string>(
  settings: SettingsOf<BucketSettings<Key>>,
  key: Key,
): string[] {
  const { SecretAccessKey: secret, SessionToken: token } = readBucketValues(settings, key);
  return [secret, token].flatMap((one) => one ?? []);
}
