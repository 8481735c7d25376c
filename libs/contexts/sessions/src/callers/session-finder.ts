import { retry, type Clock, type Turns } from '@steward/async';
import { beginTrace } from '@steward/crypto';
import type { Principal } from '@steward/contracts';
import { isTransientDatabaseError, transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Logger } from '@steward/process';
import { findCurrentSession, openCurrentSession } from '../sessions/operations/open-current-session.ts';
import { type SessionWriteOptions } from '../sessions/runtime-session.ts';
import type { CallSession } from './call-session.ts';

export interface SessionFinderDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SessionWriteOptions;
  readonly turns: Turns;
}

/** Facts that a session states about the caller that opened it. */
export type Caller = Pick<Principal, 'accountId' | 'apiKeyId'> & Partial<Pick<Principal, 'runtimePrincipal'>>;

/** Null if it could not be opened: the call is recorded anyway. */
export type FindSession = (principal: Caller, session: CallSession) => Promise<string | null>;

const RETRY_DELAYS_MS = [100, 1000];

/** Opens missing sessions of calls. Calls of one source that end together share the look-up. */
export function createSessionFinder(deps: SessionFinderDeps): FindSession {
  const asking = new Map<string, Promise<string | null>>();

  async function open(principal: Caller, session: CallSession & { kind: 'source' }): Promise<string | null> {
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
    try {
      const find = async () =>
        (await findCurrentSession(deps.db, input)) ??
        transact({ ...deps, traceparent: beginTrace() }, (trx, hints) =>
          openCurrentSession(trx, hints, input, deps.options),
        );
      const opened = await retry(() => deps.turns.run(find), {
        delaysMs: RETRY_DELAYS_MS,
        mayRetry: isTransientDatabaseError,
      });
      return opened.id;
    } catch (error) {
      deps.logger.error('model_call.session_not_opened', { account_id: accountId, error });
      return null;
    }
  }

  return (principal, session) => {
    if (session.kind === 'known') return Promise.resolve(session.sessionId);
    const key = JSON.stringify([principal.accountId, principal.apiKeyId, session]);
    const found = asking.get(key) ?? open(principal, session).finally(() => asking.delete(key));
    asking.set(key, found);
    return found;
  };
}
