import type { Readable } from 'node:stream';

export interface PutRequest {
  /**
   * Key of the object: segments of letters, digits, dots, dashes and underscores, separated by slashes. A key is never
   * used for another object.
   */
  readonly key: string;
  /** Path of a finished file, which is no longer written to. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Hash of the file, in hexadecimal. */
  readonly sha256: string;
  /**
   * True if several processes may store this file under this key. In this case, nothing is removed after a failure,
   * because another process may have stored the object.
   */
  readonly isShared?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface StoredObject {
  readonly sizeBytes: number;
  /**
   * Content of the object. The stream fails if the store ends it early or stalls for too long; it must be read or
   * destroyed.
   */
  readonly stream: Readable;
}

export interface RemoveRequest {
  /** Only objects stored before this time are removed. */
  readonly before: Date;
  /**
   * Returns whether an object belongs to the store. Other objects are never removed, because the same folder or bucket
   * may contain other files.
   */
  readonly isOwn: (key: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Storage of finished files. An object exists completely or not at all. */
export interface ObjectStore {
  /** Name of the store in receipts. */
  readonly transport: 'local' | 's3';
  /**
   * Stores the file.
   * @throws StoreError after an attempt to remove what may have been stored; if `isShared` is true, nothing is removed
   */
  put(request: PutRequest): Promise<void>;
  /**
   * Returns the object; undefined if the key has none.
   * @throws StoreError if the store cannot determine whether the key has an object
   */
  open(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * Removes old objects. A call may examine only some of the objects; the next call then continues with the rest.
   * Returns the number of removed objects.
   * @throws StoreError
   */
  removeOlder(request: RemoveRequest): Promise<number>;
  /**
   * Checks once, without retries, that the server of a bucket responds; a folder is not checked.
   * @throws StoreError
   */
  check(): Promise<void>;
}

/** Bytes in memory that are to be stored. */
export interface PutBytesRequest {
  /** Key that no other request uses: a failed request removes what it has stored. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

export interface ListRequest {
  /** Prefix of the keys to list; default: all keys are listed. */
  readonly prefix?: string;
  /** Key after which the page begins. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListedObject {
  readonly key: string;
  readonly lastModified: Date;
}

/** An object store that also stores bytes, lists objects, and removes objects by their keys. */
export interface Bucket extends ObjectStore {
  /**
   * Stores bytes.
   * @throws StoreError after an attempt to remove what may have been stored
   */
  putBytes(request: PutBytesRequest): Promise<void>;
  /**
   * Lists a page of objects in the order of their keys; `next` is the `after` of the next page.
   * @throws StoreError
   */
  list(request: ListRequest): Promise<{ readonly objects: readonly ListedObject[]; readonly next: string | undefined }>;
  /**
   * Removes objects; a key without an object is ignored.
   * @throws StoreError
   */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>;
}

/**
 * Failure of a store. `refused`: the store responds, but its setup has to be changed. `unreachable`: it may work again
 * without intervention.
 */
export class StoreError extends Error {
  readonly kind: 'refused' | 'unreachable';

  /** The message goes to logs: it must contain no credential and no stored content. */
  constructor(kind: StoreError['kind'], message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StoreError';
    this.kind = kind;
  }
}
