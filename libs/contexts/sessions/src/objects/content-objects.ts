import { createHash } from 'node:crypto';
import { createTurns } from '@steward/async';
import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { Logger, Metrics } from '@steward/process';
import { StoreError, type Bucket } from '@steward/storage';
import { createAccountKeys, type AccountKeys } from './account-keys.ts';
import { openBody } from './rules/seal-body.ts';

/** Body of content in the object store, as described by the row of the content. */
export interface StoredBody {
  readonly accountId: string;
  readonly key: string;
  /** Size of the object; `bodyBytes` is the size of the body in it. */
  readonly objectBytes: number;
  readonly bodyBytes: number;
  /** Hash of the body. */
  readonly sha256: Buffer;
}

export type OpenedBody =
  | { readonly kind: 'opened'; readonly text: string }
  /** The store has no such object. */
  | { readonly kind: 'missing' }
  /** The object has been altered, or the key of the account is missing or cannot be decrypted. */
  | { readonly kind: 'damaged' }
  /** The store does not respond, or refuses the request. */
  | { readonly kind: 'unavailable' };

/** Bodies of content in a bucket. */
export interface ContentObjects {
  /** Opens a body. All callers together can open only a limited number of bodies at the same time. */
  open(db: AnyDatabase, body: StoredBody): Promise<OpenedBody>;
  /** Returns whether the store responds. */
  isAvailable(): Promise<boolean>;
  readonly bucket: Bucket;
  readonly keys: AccountKeys;
}

export interface ContentObjectsOptions {
  readonly bucket: Bucket;
  /** Encrypts and decrypts the keys of accounts. */
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'counter'>;
  /** Number of milliseconds for which no body is opened after the store has failed. */
  readonly pauseMs?: number;
  /** Time limit for opening one object. */
  readonly openMs?: number;
}

/** Maximum number of objects that a process opens at the same time (LIM-114). */
const MOST_OPEN = 16;
const PAUSE_MS = 2_000;
/**
 * Default time limit for opening one object. An object that takes longer counts as unavailable, because a person may be
 * waiting for a page that needs its content.
 */
const OPEN_MS = 5_000;

export function createContentObjects(options: ContentObjectsOptions): ContentObjects {
  const { bucket, logger, pauseMs = PAUSE_MS, openMs = OPEN_MS } = options;
  const keys = createAccountKeys(options.box, (accountId, error) =>
    logger.warn('content.key_unusable', { account_id: accountId, error }),
  );
  const turns = createTurns(MOST_OPEN);
  const opened = options.metrics.counter(
    'steward_content_objects_opened_total',
    'Bodies of content that were read from the object store, by outcome: opened, missing, damaged or unavailable.',
    ['outcome'],
  );
  for (const outcome of ['opened', 'missing', 'damaged', 'unavailable']) opened.inc({ outcome }, 0);
  let unavailableUntil = 0;

  async function open(db: AnyDatabase, body: StoredBody): Promise<OpenedBody> {
    if (performance.now() < unavailableUntil) return { kind: 'unavailable' };
    const key = await keys.find(db, body.accountId);
    if (key === undefined) return { kind: 'damaged' };
    try {
      const stored = await bucket.open(body.key, AbortSignal.timeout(openMs));
      if (stored === undefined) return { kind: 'missing' };
      const bytes = await readBytes(stored.stream, body.objectBytes);
      const text = bytes === undefined ? undefined : await unseal(bytes, key, body);
      return text === undefined ? { kind: 'damaged' } : { kind: 'opened', text };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // Requests that arrive during the pause fail at once; otherwise each of them would wait for the store in turn.
      unavailableUntil = performance.now() + pauseMs;
      logger.warn('content.store_unavailable', { account_id: body.accountId, error });
      return { kind: 'unavailable' };
    }
  }

  return {
    bucket,
    keys,
    open: (db, body) =>
      turns.run(async () => {
        const outcome = await open(db, body);
        opened.inc({ outcome: outcome.kind });
        if (outcome.kind === 'missing' || outcome.kind === 'damaged')
          logger.warn('content.object_lost', { account_id: body.accountId, key: body.key, outcome: outcome.kind });
        return outcome;
      }),
    isAvailable: () =>
      bucket.check().then(
        () => true,
        (error: unknown) => {
          logger.warn('content.store_unavailable', { error });
          return false;
        },
      ),
  };
}

/** Reads an object; undefined if it does not have the expected size. @throws StoreError */
async function readBytes(stream: AsyncIterable<unknown>, size: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let read = 0;
  for await (const part of stream) {
    const bytes = part as Buffer;
    read += bytes.byteLength;
    if (read > size) return undefined;
    parts.push(bytes);
  }
  return read === size ? Buffer.concat(parts) : undefined;
}

/** Returns the text of a body; undefined if its object cannot be decrypted, or contains another body. */
async function unseal(bytes: Buffer, key: Buffer, body: StoredBody): Promise<string | undefined> {
  try {
    const text = await openBody(bytes, key, { objectKey: body.key, maxBytes: body.bodyBytes });
    return hashBody(text).equals(body.sha256) ? text.toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}

export function hashBody(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}
