import { createDerivedSecretBox, type SecretBox } from '@steward/crypto';
import { SettingsError, type Logger, type Metrics, type SettingsOf } from '@steward/process';
import {
  createContentObjects,
  listContentBucketSecrets,
  openContentBucket,
  type ContentObjects,
} from '@steward/sessions';
import type { contentStoreSettings } from '../config.ts';

type ContentStoreSettings = SettingsOf<typeof contentStoreSettings>;

/**
 * Returns the secret box that decrypts the content keys of accounts; undefined if no bucket is configured.
 * @throws SettingsError if a bucket is configured without a key, or a minimum size of objects without a bucket
 */
export function openContentBox({
  contentS3Endpoint,
  contentSecretKey,
  previousContentSecretKeys,
  contentObjectBytes = 0,
}: ContentStoreSettings & { readonly contentObjectBytes?: number }): SecretBox | undefined {
  if (contentS3Endpoint === undefined && contentObjectBytes > 0)
    throw new SettingsError(['SESSION_CONTENT_S3_ENDPOINT is not set, and SESSION_CONTENT_OBJECT_BYTES needs it']);
  if (contentS3Endpoint === undefined) return undefined;
  if (contentSecretKey === undefined)
    throw new SettingsError(['CONTENT_SECRET_KEY is not set, and SESSION_CONTENT_S3_ENDPOINT needs it']);
  return createDerivedSecretBox([contentSecretKey, ...previousContentSecretKeys]);
}

/** Returns the values that must not appear in any log line. */
export function listContentSecrets(settings: ContentStoreSettings): string[] {
  const { contentSecretKey, previousContentSecretKeys } = settings;
  return [
    ...(contentSecretKey === undefined ? [] : [contentSecretKey]),
    ...previousContentSecretKeys,
    ...listContentBucketSecrets(settings),
  ];
}

/** Opens the object store for large bodies of content; returns undefined if the deployment has none. */
export function openContentStore(
  settings: ContentStoreSettings,
  process: { readonly logger: Logger; readonly metrics: Pick<Metrics, 'counter'> },
): ContentObjects | undefined {
  const box = openContentBox(settings);
  const bucket = openContentBucket(settings);
  return box === undefined || bucket === undefined ? undefined : createContentObjects({ bucket, box, ...process });
}
