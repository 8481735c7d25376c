import { firstIdAt } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { choosePresentSpace } from '../../vectors/rules/choose-present-space.ts';
import { listSpaces, retireFormerSpaces } from '../../vectors/store/vector-space.store.ts';
import type { VectorSpace } from '../../vectors/vector-space.ts';
import type { WorkSettings } from '../embedding-work.ts';
import type { EmbeddableText } from '../rules/fit-batches.ts';
import { readTexts, readWalkPage } from '../store/embeddable-chunk.store.ts';
import {
  deleteTasks,
  hasOpenTasks,
  listWaiting,
  readNextRetry,
  type WaitingTask,
} from '../store/embedding-task.store.ts';
import { BEFORE_ALL, updateWalk, type DueWork } from '../store/embedding-work.store.ts';

/** Maximum difference between the time in an id and the time of the first write of its transaction. */
const ID_AHEAD_MS = 5 * 60_000;
/**
 * Maximum number of pages per claim. Each page has up to twice as many rows as the one before; after the last page, the
 * claim lets other accounts proceed.
 */
const PAGES = 6;
const LARGEST_PAGE = 4096;

/** Position of an account's walk over its chunks, within one claim. */
export interface Walk {
  readonly work: DueWork;
  readonly walkFor: string;
  readonly isNew: boolean;
  readonly tokensPerByte: number | undefined;
  readonly spaces: readonly VectorSpace[];
  readonly space: VectorSpace | undefined;
  /** The result of the function that `createSettledTime` returns. */
  readonly settledAt: Date | undefined;
  probedTo: string;
  isEnd: boolean;
  /** True if the texts were found by the walk, which has advanced past them. */
  isWalking: boolean;
}

/**
 * Begins or continues a walk. If the provider, endpoint, model, scope or dimensions have changed, the walk restarts at
 * the first chunk: attempts, and the list of texts that were set aside, are reset.
 */
export async function beginWalk(
  trx: AnyTransaction,
  work: DueWork,
  { walkFor, settledAt }: Pick<Walk, 'walkFor' | 'settledAt'>,
): Promise<Walk> {
  const { accountId } = work;
  const isNew = work.walkFor !== walkFor;
  if (isNew) await deleteTasks(trx, { accountId });
  const spaces = await listSpaces(trx, accountId);
  const from = work.isLookingBack ? work.walkedTo : work.probedTo;
  return {
    work,
    walkFor,
    isNew,
    tokensPerByte: isNew ? undefined : (work.tokensPerByte ?? undefined),
    spaces,
    space: choosePresentSpace(spaces, work),
    settledAt,
    probedTo: isNew ? BEFORE_ALL : from,
    isEnd: false,
    isWalking: false,
  };
}

/**
 * Returns texts to retry, for one call; if there are none, the next texts of the walk, for several calls. Texts that
 * were refused when sent individually come last: otherwise a provider that received only such texts would seem to
 * refuse everything.
 */
export async function findTexts(
  trx: AnyTransaction,
  walk: Walk,
  { batchSize, batches }: { readonly batchSize: number; readonly batches: number },
): Promise<readonly EmbeddableText[]> {
  const { accountId } = walk.work;
  const waiting = walk.work.hasWaiting ? await findWaiting(trx, accountId, batchSize) : [];
  const readWaiting = (): Promise<EmbeddableText[]> => readUsable(trx, walk.work, waiting);
  const [first] = waiting;
  if (first?.isRefused === false) {
    const again = await readWaiting();
    if (again.length > 0) return again;
  }
  const next = await walkOn(trx, walk, batchSize * batches);
  walk.isWalking = next.length > 0;
  return next.length === 0 && first?.isRefused === true ? readWaiting() : next;
}

/**
 * Returns chunks that wait for a retry and can be sent in one call: they have the same maximum number of texts per
 * call, and either all or none of them were refused when sent individually.
 */
async function findWaiting(trx: AnyTransaction, accountId: string, limit: number): Promise<readonly WaitingTask[]> {
  const waiting = await listWaiting(trx, { accountId, limit });
  const [first] = waiting;
  if (first === undefined) return [];
  const { batchLimit, isRefused } = first;
  const alike = waiting.filter((task) => task.batchLimit === batchLimit && task.isRefused === isRefused);
  return alike.slice(0, batchLimit ?? limit);
}

async function walkOn(trx: AnyTransaction, walk: Walk, limit: number): Promise<EmbeddableText[]> {
  const { accountId, scope } = walk.work;
  const { space } = walk;
  const found: EmbeddableText[] = [];
  for (let page = 0; page < PAGES && found.length < limit && !walk.isEnd; page += 1) {
    const query = { accountId, scope, space, after: walk.probedTo, limit: Math.min(limit * 2 ** page, LARGEST_PAGE) };
    const { texts, lastId, isEnd } = await readWalkPage(trx, query);
    found.push(...texts.filter(({ text }) => text.trim() !== ''));
    walk.isEnd = isEnd;
    walk.probedTo = lastId ?? walk.probedTo;
  }
  const taken = found.slice(0, limit);
  if (found.length > limit) {
    walk.isEnd = false;
    walk.probedTo = taken.at(-1)?.chunkId ?? walk.probedTo;
  }
  return taken;
}

/**
 * Returns the texts of chunks that are waiting for a retry. Chunks that were deleted, are outside the scope or have no
 * text are dropped, since there is nothing to retry.
 */
async function readUsable(
  trx: AnyTransaction,
  { accountId, scope }: Pick<DueWork, 'accountId' | 'scope'>,
  waiting: readonly WaitingTask[],
): Promise<EmbeddableText[]> {
  const chunkIds = waiting.map(({ chunkId }) => chunkId);
  const texts = (await readTexts(trx, { accountId, scope, chunkIds })).filter(({ text }) => text.trim() !== '');
  const present = new Set(texts.map(({ chunkId }) => chunkId));
  const gone = chunkIds.filter((id) => !present.has(id));
  if (gone.length > 0) await deleteTasks(trx, { accountId, chunkIds: gone });
  return texts;
}

export interface WalkStep {
  /**
   * Id of the last chunk of the claimed batches, to which the walk advances: chunks that the walk found after this one
   * will be found again.
   */
  readonly takenTo: string | undefined;
  readonly settings: WorkSettings;
  /** Time until which no other call of the account may start; undefined if other calls may start now. */
  readonly heldUntil: Date | undefined;
}

/**
 * Stores the position of the walk after batches were taken. The account remains due, or becomes due again at
 * `heldUntil`.
 */
export async function settleWalk(trx: AnyTransaction, walk: Walk, step: WalkStep): Promise<void> {
  const probedTo = walk.isWalking ? (step.takenTo ?? walk.probedTo) : walk.probedTo;
  const dueAt = step.heldUntil ?? null;
  await update(trx, { ...walk, probedTo }, step.settings, { dueAt, isHeld: dueAt !== null });
}

/** Retires the former vector spaces once everything is embedded in the current one. */
async function retireFormer(trx: AnyTransaction, { work, spaces, space }: Walk): Promise<void> {
  if (space === undefined || spaces.length === 1 || (await hasOpenTasks(trx, work.accountId))) return;
  await retireFormerSpaces(trx, { accountId: work.accountId, presentSpaceId: space.id, now: work.now });
}

/**
 * Stores the position of a walk that found nothing. At the end of the corpus, the account then waits for a message, for
 * the next check, or for a retry; before the end, the account remains due.
 */
export async function endWalk(trx: AnyTransaction, walk: Walk, settings: WorkSettings): Promise<void> {
  const { accountId, now } = walk.work;
  const lookBackAt = now.getTime() + settings.reconcileSeconds * 1000;
  const retryAt = walk.isEnd ? await readNextRetry(trx, accountId) : null;
  const dueAt = walk.isEnd ? new Date(Math.min(lookBackAt, retryAt?.getTime() ?? lookBackAt)) : null;
  if (walk.isEnd) await retireFormer(trx, walk);
  await update(trx, walk, settings, { dueAt, isHeld: false });
}

async function update(
  trx: AnyTransaction,
  walk: Walk,
  { reconcileSeconds }: WorkSettings,
  next: { readonly dueAt: Date | null; readonly isHeld: boolean },
): Promise<void> {
  const { work, walkFor, isNew, probedTo, settledAt } = walk;
  await updateWalk(trx, {
    accountId: work.accountId,
    walkFor,
    probedTo,
    settledTo: settledAt === undefined ? BEFORE_ALL : firstIdAt(new Date(settledAt.getTime() - ID_AHEAD_MS)),
    isNew,
    lookBackInSeconds: work.isLookingBack || isNew ? reconcileSeconds : undefined,
    ...next,
  });
}
