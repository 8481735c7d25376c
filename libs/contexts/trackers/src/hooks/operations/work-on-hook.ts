import type { AnyDatabase } from '@steward/database';
import { TrackerError } from '../../hosts/tracker-error.ts';
import type { HookOrder, TrackerAccess, TrackerHost } from '../../hosts/tracker-host.ts';
import type { HookRow } from '../../schema.ts';
import { deleteHook, saveHookOutcome, type HookOutcome } from '../store/hook.store.ts';

/**
 * Maximum number of attempts: if the last one fails, the hook is `failed` or, if it is abandoned, its row is deleted.
 */
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 3600;

export interface HookWork {
  readonly hook: HookRow;
  readonly host: TrackerHost;
  /**
   * Returns an object that sends requests to the tracker.
   * @throws TrackerError
   */
  readonly open: () => TrackerAccess;
  /** Data for registering the hook; only `urlPrefix` is needed to remove it. */
  readonly order: Omit<HookOrder, 'repository' | 'hookId'>;
}

/** Registers or removes a claimed hook, and stores the result. */
export async function workOnHook(db: AnyDatabase, work: HookWork): Promise<HookOutcome | 'gone'> {
  const { hook } = work;
  const outcome = await (hook.is_wanted ? register(work) : remove(work));
  if (hook.is_left && (outcome.state === 'removed' || outcome.retrySeconds === null)) {
    await deleteHook(db, hook);
    return 'gone';
  }
  await saveHookOutcome(db, hook, outcome);
  return outcome;
}

async function register({ hook, host, open, order }: HookWork): Promise<HookOutcome> {
  const save = (hookId: string | null) => host.saveHook(open(), { ...order, repository: hook.repository, hookId });
  try {
    // A hook that was deleted at the tracker is created again.
    const hookId = await save(hook.hook_id).catch((error: unknown) => {
      const isGone = error instanceof TrackerError && error.fault === 'not_found' && hook.hook_id !== null;
      if (isGone) return save(null);
      throw error;
    });
    return { state: 'active', reason: null, hook_id: hookId, retrySeconds: null };
  } catch (error) {
    return describeFailure(hook, error, 'The hook is not registered');
  }
}

async function remove({ hook, host, open, order: { urlPrefix } }: HookWork): Promise<HookOutcome> {
  const removed: HookOutcome = { state: 'removed', reason: null, hook_id: null, retrySeconds: null };
  try {
    await host.removeHook(open(), { repository: hook.repository, hookId: hook.hook_id, urlPrefix });
    return removed;
  } catch (error) {
    if (error instanceof TrackerError && error.fault === 'not_found') return removed;
    return describeFailure(hook, error, 'The hook is not removed');
  }
}

function describeFailure(hook: HookRow, error: unknown, what: string): HookOutcome {
  if (!(error instanceof TrackerError)) throw error;
  const reason = `${what}: ${error.message}`;
  const failed = { reason, hook_id: hook.hook_id };
  if (!error.isTemporary || hook.attempts >= MAX_ATTEMPTS) return { ...failed, state: 'failed', retrySeconds: null };
  const own = Math.min(FIRST_RETRY_SECONDS * 2 ** (hook.attempts - 1), LONGEST_RETRY_SECONDS);
  return { ...failed, state: 'pending', retrySeconds: Math.max(own, error.retryAfterSeconds ?? 0) };
}
