import { transact } from '@steward/database';
import type { Principal } from '@steward/http';
import { AppError } from '@steward/runtime';
import { appendSessionContent, type SessionContentEntry, toSessionWriteOptions } from '@steward/slice-gateway';
import { requireReach } from '../../auth/require-reach.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';

export type AppendDeps = Pick<GatewayDeps, 'db' | 'broker' | 'settings' | 'clock'>;

interface AppendRequest {
  readonly principal: Principal;
  readonly sessionId: string;
  readonly entries: readonly SessionContentEntry[];
}

/** Stores content in one transaction. @throws not_found when the caller's account has no such session. */
export async function appendContent(deps: AppendDeps, { principal, sessionId, entries }: AppendRequest) {
  requireReach(principal, sessionId);
  const input = {
    accountId: principal.accountId,
    sessionId,
    apiKeyId: principal.apiKeyId,
    entries,
    now: deps.clock.now(),
  };
  const options = toSessionWriteOptions(deps.settings);
  const outcome = await transact(deps, (trx, hints) => appendSessionContent(trx, hints, input, options));
  if (outcome.kind === 'not_found') throw new AppError('not_found');
  return outcome;
}
