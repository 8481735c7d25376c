import type { SettingsOf } from '@steward/process';
import { bucketSettings, listBucketSecrets, openBucket, type Bucket } from '@steward/storage';

/** Settings of every process that reads or moves bodies of content in a bucket (ADR 0080). */
export const contentBucketSettings = bucketSettings('contentS3', 'SESSION_CONTENT_S3', {
  endpoint:
    'Address of an S3-compatible server, without the bucket, for large bodies of content (SESSION_CONTENT_OBJECT_BYTES). Set the same address for the gateway and the sweeper. Default: all content is in the database.',
  sent: 'bodies, which are sealed, are',
  bucket: 'The bucket. It must exist, and only one deployment may write below SESSION_CONTENT_S3_PREFIX.',
  prefix: 'Prefix of the key of every object, for example steward/content/.',
  accessKeyId:
    'Id of the access key. The sweeper needs the privileges to list, get, put and delete below the prefix; the gateway needs only list and get.',
  object: 'object',
});

export type ContentBucketSettings = SettingsOf<typeof contentBucketSettings>;

/** Opens the bucket; undefined without an endpoint. @throws SettingsError with one line for each invalid setting */
export function openContentBucket(settings: ContentBucketSettings): Bucket | undefined {
  if (settings.contentS3Endpoint === undefined) return undefined;
  return openBucket(settings, { key: 'contentS3', variables: 'SESSION_CONTENT_S3' });
}

/** Returns the values that must not appear in any log line. */
export function listContentBucketSecrets(settings: ContentBucketSettings): string[] {
  return listBucketSecrets(settings, 'contentS3');
}
