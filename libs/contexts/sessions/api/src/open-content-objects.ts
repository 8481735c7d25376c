import type { Logger, Metrics } from '@steward/process';
import type { SecretBoxes } from '@steward/api';
import {
  createContentObjects,
  openContentBucket,
  type ContentBucketSettings,
  type ContentObjects,
} from '@steward/sessions';

/** Opens the object store that contains large bodies of content; undefined if the deployment has none. */
export function openContentObjects({
  settings,
  secretBoxes,
  logger,
  metrics,
}: {
  readonly settings: ContentBucketSettings;
  readonly secretBoxes: Pick<SecretBoxes, 'sessionContent'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): ContentObjects | undefined {
  const bucket = openContentBucket(settings);
  return bucket === undefined
    ? undefined
    : createContentObjects({ bucket, box: secretBoxes.sessionContent, logger, metrics });
}
