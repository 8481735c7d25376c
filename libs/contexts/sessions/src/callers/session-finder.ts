import { createGatheredReads, retry, type Clock, type Turns } from '@steward/async';
import { beginTrace } from '@steward/crypto';
import type { Principal } from '@steward/contracts';
import { isTransientDatabaseError, transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Logger } from '@steward/process';
import { openCurrentSession } from '../sessions/operations/open-current-session.ts';
import { type SessionWriteOptions } from '../sessions/runtime-session.ts';
import { findCurrentSessions, type CurrentSessionKey } from '../sessions/store/find-session.store.ts';
import type { CallSession } from './call-session.ts';

export interface SessionFinderDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SessionWriteOptions;
  readonly turns: Turns;
}

/** Properties of the caller that are stored in a session that the caller opens. */
export type Caller = Pick<Principal, 'accountId' | 'apiKeyId'> & Partial<Pick<Principal, 'runtimePrincipal'>>;

/** Returns the id of a call's session; null if the session could not be opened. The call is recorded anyway. */
export type FindSession = (principal: Caller, session: CallSession) => Promise<string | null>;

const RETRY_DELAYS_MS = [100, 1000];
/**
 * Limits of shared look-ups. No call waits for the look-up of its session, so one look-up can serve all calls that end
 * in the same turn of the event loop.
 */
const GATHERED = { maxKeys: 500, maxReads: 2, enoughCallers: 500, slowMs: 1000 };

/**
 * Returns a function that finds the session of a call, and opens a missing one. Calls that end at the same time share
 * the look-up.
 */
export function createSessionFinder(deps: SessionFinderDeps): FindSession {
  const asking = new Map<string, Promise<string | null>>();
  const findId = createGatheredReads<CurrentSessionKey, string | undefined>({
    ...GATHERED,
    read: async (keys) => (await deps.turns.run(() => findCurrentSessions(deps.db, keys))).map((row) => row?.id),
  });

  async function open(
    name: string,
    principal: Caller,
    session: CallSession & { kind: 'source' },
  ): Promise<string | null> {
    const { accountId, apiKeyId, runtimePrincipal } = principal;
    const input = {
      accountId,
      sessionSourceType: session.sourceType,
      source: session.source,
      apiKeyId,
      runtimePrincipalType: runtimePrincipal?.type,
      runtimePrincipalId: runtimePrincipal?.id,
      runtimePrincipalName: runtimePrincipal?.name,
      principalVerified: runtimePrincipal !== undefined,
      now: deps.clock.now(),
    };
    const { sessionSourceType: sourceType, source } = input;
    const openNew = () =>
      transact({ ...deps, traceparent: beginTrace() }, (trx, hints) =>
        openCurrentSession(trx, hints, input, deps.options),
      );
    const find = async (): Promise<string> =>
      (await findId(name, { accountId, sourceType, source, apiKeyId: apiKeyId ?? null })) ??
      (await deps.turns.run(openNew)).id;
    try {
      return await retry(find, { delaysMs: RETRY_DELAYS_MS, mayRetry: isTransientDatabaseError });
    } catch (error) {
      deps.logger.error('model_call.session_not_opened', { account_id: accountId, error });
      return null;
    }
  }

  return (principal, session) => {
    if (session.kind === 'known') return Promise.resolve(session.sessionId);
    const key = JSON.stringify([principal.accountId, principal.apiKeyId, session]);
    const found = asking.get(key) ?? open(key, principal, session).finally(() => asking.delete(key));
    asking.set(key, found);
    return found;
  };
}
