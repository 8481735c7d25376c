import { isLoopbackHost, SettingsError, type SettingsOf } from '@steward/process';
import { createFolderStore, createS3Store, type ObjectStore, type S3Options } from '@steward/storage';
import type { evidenceSettings } from './evidence-settings.ts';

export type EvidenceSettings = SettingsOf<typeof evidenceSettings>;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*$/;

export interface EvidenceStores {
  /** Store for new evidence. */
  readonly current: ObjectStore;
  /**
   * All stores that may contain evidence, including the local store that was used before `EVIDENCE_STORE` was changed
   * to s3.
   */
  readonly all: readonly ObjectStore[];
}

/** Creates the stores according to the settings. @throws SettingsError with one line for each invalid setting */
export function createEvidenceStores(settings: EvidenceSettings): EvidenceStores {
  const folder = createFolderStore(settings.evidenceDirectory);
  if (settings.evidenceStore === 'folder') return { current: folder, all: [folder] };
  const bucket = createS3Store(readS3Options(settings));
  return { current: bucket, all: [bucket, folder] };
}

/** Returns the values that must not appear in any log line. */
export function listEvidenceSecrets(settings: EvidenceSettings): string[] {
  return [settings.evidenceS3SecretAccessKey, settings.evidenceS3SessionToken].flatMap((secret) => secret ?? []);
}

function readS3Options(settings: EvidenceSettings): S3Options {
  const problems: string[] = [];
  const demand = (value: string | undefined, variable: string): string => {
    if (value === undefined) problems.push(`${variable} is not set, and EVIDENCE_STORE=s3 needs it`);
    return value ?? '';
  };
  const options: S3Options = {
    endpoint: demand(settings.evidenceS3Endpoint, 'EVIDENCE_S3_ENDPOINT'),
    bucket: demand(settings.evidenceS3Bucket, 'EVIDENCE_S3_BUCKET'),
    region: settings.evidenceS3Region,
    prefix: settings.evidenceS3Prefix,
    accessKeyId: demand(settings.evidenceS3AccessKeyId, 'EVIDENCE_S3_ACCESS_KEY_ID'),
    secretAccessKey: demand(settings.evidenceS3SecretAccessKey, 'EVIDENCE_S3_SECRET_ACCESS_KEY'),
    sessionToken: settings.evidenceS3SessionToken,
    pathStyle: settings.evidenceS3PathStyle,
    encryption: settings.evidenceS3Encryption === 'bucket' ? undefined : settings.evidenceS3Encryption,
    timeoutMs: settings.evidenceS3TimeoutSeconds * 1000,
  };
  if (settings.evidenceS3Endpoint !== undefined) problems.push(...checkEndpoint(options.endpoint, settings));
  if (settings.evidenceS3Bucket !== undefined && !BUCKET.test(options.bucket))
    problems.push('EVIDENCE_S3_BUCKET must be a bucket name: 3 to 63 lower-case letters, digits, dots and dashes');
  if (!/^[a-z0-9-]{1,64}$/.test(options.region))
    problems.push('EVIDENCE_S3_REGION must be lower-case letters, digits and dashes');
  if (options.prefix.length > 256 || !PREFIX.test(options.prefix))
    problems.push(
      'EVIDENCE_S3_PREFIX must end with "/" and otherwise consist of letters, digits, dots, dashes and underscores',
    );
  if (problems.length > 0) throw new SettingsError(problems);
  return options;
}

function checkEndpoint(endpoint: string, { evidenceS3AllowHttp }: EvidenceSettings): string[] {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  // The invalid value is not quoted: it may contain a password.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return ['EVIDENCE_S3_ENDPOINT must be a URL starting with https://, without credentials'];
  if (url.search !== '' || url.hash !== '') return ['EVIDENCE_S3_ENDPOINT must be a URL without a query'];
  if (url.protocol === 'https:' || evidenceS3AllowHttp || isLoopbackHost(url.hostname.replace(/^\[|\]$/g, '')))
    return [];
  return [
    'EVIDENCE_S3_ENDPOINT must start with https:// unless it is on this machine (or set EVIDENCE_S3_ALLOW_HTTP=true)',
  ];
}
