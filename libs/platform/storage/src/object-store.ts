import type { Readable } from 'node:stream';

export interface PutRequest {
  /** Segments of letters, digits, dots, dashes and underscores, separated by slashes. One key is put once. */
  readonly key: string;
  /** A finished file: nobody writes to it any more. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly signal?: AbortSignal | undefined;
}

export interface StoredObject {
  readonly sizeBytes: number;
  /** Fails when the store ends it early or says nothing for too long. To be read or destroyed. */
  readonly stream: Readable;
}

export interface RemoveRequest {
  /** What was put at this time or later stays. */
  readonly before: Date;
  /** What is not the caller's stays, however old: other things may lie in the same place. */
  readonly isOwn: (key: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Where finished files are kept. An object is there completely or not at all. */
export interface ObjectStore {
  /** What receipts call it. */
  readonly transport: 'local' | 's3';
  /** Stores the file. @throws StoreError, and then there is nothing under the key */
  put(request: PutRequest): Promise<void>;
  /** Undefined when there is nothing under the key. @throws StoreError when the store cannot tell */
  open(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * Removes what is old, a bounded share of it at a time: what is left over goes with the next calls. Answers how many went.
   * @throws StoreError
   */
  removeOlder(request: RemoveRequest): Promise<number>;
  /** One look, without repeating it. @throws StoreError */
  check(): Promise<void>;
}

/** `refused`: the store answers and a person has to change something. `unreachable`: it may work again by itself. */
export class StoreError extends Error {
  readonly kind: 'refused' | 'unreachable';

  /** The message goes to logs: no credential, nothing of the stored. */
  constructor(kind: StoreError['kind'], message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StoreError';
    this.kind = kind;
  }
}
