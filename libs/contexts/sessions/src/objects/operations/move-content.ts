import { randomBytes } from 'node:crypto';
import { createTurns } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { StoreError } from '@steward/storage';
import { hashBody, type ContentObjects } from '../content-objects.ts';
import { buildObjectKey, KEY_NONCE_BYTES } from '../rules/object-key.ts';
import { sealBody, SEAL_NONCE_BYTES } from '../rules/seal-body.ts';
import { claimLargeContent, releaseClaims, type Claim } from '../store/content-claim.store.ts';
import { findMovableBody, replaceByObject } from '../store/moved-content.store.ts';

export interface MoveDeps {
  readonly db: AnyDatabase;
  readonly objects: ContentObjects;
}

export interface MoveRequest {
  /** Size above which a body is moved. */
  readonly largerThan: number;
  readonly minAgeSeconds: number;
  readonly signal: AbortSignal;
  readonly onOutcome: (outcome: MoveOutcome) => void;
}

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly bodyBytes: number; readonly objectBytes: number }
  /** The content was changed, moved or deleted meanwhile, or the claim has ended. */
  | { readonly kind: 'changed' }
  /** The body remains in the database; the move is tried again when its claim has ended. */
  | { readonly kind: 'failed'; readonly key: Claim; readonly error: unknown };

const BATCH = 32;
/**
 * Maximum number of bodies that a process moves at the same time: it holds several copies of each in memory (LIM-113).
 */
const AT_ONCE = 4;
const CLAIM_SECONDS = 900;

/**
 * Moves large bodies to the object store, the largest first, until all remaining ones are claimed. Any number of
 * processes may do this at the same time. A process that is killed leaves a claim and possibly an object that no row
 * names; the claim expires, and the object is removed later.
 * @throws StoreError if the store is unavailable; the bodies remain in the database
 */
export async function moveContent(deps: MoveDeps, request: MoveRequest): Promise<void> {
  const { largerThan, minAgeSeconds, signal } = request;
  let emptyClaims = 0;
  // If two processes claim at the same time, either may get nothing although bodies are left, so a second attempt is
  // made.
  while (!signal.aborted && emptyClaims < 2) {
    const claim = { largerThan, minAgeSeconds, claimSeconds: CLAIM_SECONDS, limit: BATCH };
    const claimed = await claimLargeContent(deps.db, claim);
    emptyClaims = claimed.length === 0 ? emptyClaims + 1 : 0;
    await moveClaimed(deps, claimed, request);
  }
}

/**
 * Moves claimed bodies. If the store is unreachable, the claims of all remaining bodies are released. A body that the
 * store refuses, for example because a proxy limits the size of a request, keeps its claim, so that it does not hold up
 * others.
 * @throws StoreError if the store is unreachable, or refuses all bodies
 */
async function moveClaimed(
  deps: MoveDeps,
  claimed: readonly Claim[],
  { signal, onOutcome }: MoveRequest,
): Promise<void> {
  const turns = createTurns(AT_ONCE);
  const ended: Claim[] = [];
  let failure: StoreError | undefined;
  let refusal: StoreError | undefined;
  const move = async (key: Claim): Promise<void> => {
    if (failure !== undefined || signal.aborted) {
      ended.push(key);
      return;
    }
    try {
      onOutcome(await moveBody(deps, key, signal));
      ended.push(key);
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'refused') refusal ??= error;
      else if (error instanceof StoreError) {
        failure ??= error;
        ended.push(key);
      }
      if (!signal.aborted) onOutcome({ kind: 'failed', key, error });
    }
  };
  await Promise.all(claimed.map((key) => turns.run(() => move(key))));
  await releaseClaims(deps.db, ended);
  if (failure !== undefined) throw failure;
  if (refusal !== undefined && ended.length === 0) throw refusal;
}

/**
 * Stores a body as an object, opens the object like a reader does, and only then replaces the body with the key of the
 * object.
 * @throws StoreError, or another error if the object cannot be read back as it was stored
 */
async function moveBody({ db, objects }: MoveDeps, content: Claim, signal: AbortSignal): Promise<MoveOutcome> {
  const found = await findMovableBody(db, content);
  if (found === undefined) return { kind: 'changed' };
  const { text, sessionId, revision, bodyBytes } = found;
  const { accountId } = content;
  const key = buildObjectKey({ ...content, sessionId, revision }, randomBytes(KEY_NONCE_BYTES).toString('hex'));
  const accountKey = await objects.keys.ensure(db, accountId);
  const bytes = await sealBody(text, accountKey, { objectKey: key, nonce: randomBytes(SEAL_NONCE_BYTES) });
  const sha256 = hashBody(text);
  await objects.bucket.putBytes({ key, bytes, signal });
  try {
    const opened = await objects.open(db, { accountId, key, objectBytes: bytes.length, bodyBytes, sha256 });
    if (opened.kind === 'unavailable') throw new StoreError('unreachable', 'a stored body cannot be read back');
    if (opened.kind !== 'opened' || opened.text !== text) throw new Error(`a stored body is ${opened.kind}`);
  } catch (error) {
    await dropObject(objects, key);
    throw error;
  }
  // If the database reports an error, the object is not removed, because the row may name it nevertheless.
  if (await replaceByObject(db, content, { revision, key, objectBytes: bytes.length, sha256 }))
    return { kind: 'moved', bodyBytes, objectBytes: bytes.length };
  await dropObject(objects, key);
  return { kind: 'changed' };
}

/** Removes an object that no row names; if this fails, `removeOrphans` removes the object later. */
function dropObject({ bucket }: ContentObjects, key: string): Promise<void> {
  return bucket.remove([key]).catch(() => undefined);
}
