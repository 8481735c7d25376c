/**
 * Storage: finished files shared by several processes, in a folder or in a bucket of an S3-compatible server. Folder
 * and bucket behave the same (`object-store.int.test.ts`).
 *
 * Not here: what the files are and how long they are retained; both are decided by the context that owns them. Used by:
 * the contexts flows (evidence), audit (exports) and sessions (large content), and flow-trigger, which stores evidence.
 */
export { createFolderStore } from './folder/create-folder-store.ts';
export { abortAfter } from './abort-after.ts';
export { hashStored } from './hash-stored.ts';
export {
  StoreError,
  type Bucket,
  type ListedObject,
  type ObjectStore,
  type PutRequest,
  type RemoveRequest,
  type StoredObject,
} from './object-store.ts';
export { createS3Store } from './s3/create-s3-store.ts';
export { bucketSettings, listBucketSecrets, openBucket, type BucketSettings } from './s3/bucket-settings.ts';
export type { S3Options } from './s3/s3-options.ts';
