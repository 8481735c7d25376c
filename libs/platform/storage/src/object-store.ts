import type { Readable } from 'node:stream';

export interface PutRequest {
  /** Segments of letters, digits, dots, dashes and underscores, separated by slashes. Each key is stored once. */
  readonly key: string;
  /** A finished file, which is no longer written to. */
  readonly path: string;
  readonly sizeBytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /**
   * Several processes may store this file under this key: nothing is removed after a failure, because it may be the
   * object of another process.
   */
  readonly isShared?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface StoredObject {
  readonly sizeBytes: number;
  /** Fails if the store ends it early or stalls for too long. Must be read or destroyed. */
  readonly stream: Readable;
}

export interface RemoveRequest {
  /** Objects stored at this time or later are kept. */
  readonly before: Date;
  /**
   * Objects that do not belong to the store stay, however old they are: the same folder or bucket may contain other
   * files.
   */
  readonly isOwn: (key: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Storage of finished files. An object exists completely or not at all. */
export interface ObjectStore {
  /** Name of the store in receipts. */
  readonly transport: 'local' | 's3';
  /** Stores the file. @throws StoreError; in this case the key has no object */
  put(request: PutRequest): Promise<void>;
  /** Undefined if the key has no object. @throws StoreError if the store cannot determine it */
  open(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * Removes old objects, a limited number per call; later calls remove the rest. Returns the number of removed objects.
   * @throws StoreError
   */
  removeOlder(request: RemoveRequest): Promise<number>;
  /** Checks once, without retries. @throws StoreError */
  check(): Promise<void>;
}

/**
 * `refused`: the store responds, but its setup has to be changed. `unreachable`: it may work again without
 * intervention.
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
