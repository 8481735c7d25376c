/**
 * Storage: finished files shared by several processes, in a folder or in a bucket of an S3-compatible server. Both
 * behave the same (`object-store.int.test.ts`).
 *
 * Not here: what the files are and how long they are retained; both are decided by the context that owns them. Used by:
 * the flows context (evidence), and through it api-gateway and flow-trigger; the audit context (export).
 */
export { createFolderStore } from './folder/create-folder-store.ts';
export { abortAfter } from './abort-after.ts';
export { hashStored } from './hash-stored.ts';
export {
  StoreError,
  type ObjectStore,
  type PutRequest,
  type RemoveRequest,
  type StoredObject,
} from './object-store.ts';
export { createS3Store } from './s3/create-s3-store.ts';
export { readS3Options, type S3SettingValues } from './s3/read-s3-options.ts';
export type { S3Options } from './s3/s3-options.ts';
