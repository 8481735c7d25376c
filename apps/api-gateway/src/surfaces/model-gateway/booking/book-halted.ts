import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import { type CallPath, beginHead, buildUsageRow } from '@steward/model-calls';
import type { CallLedger } from './call-ledger.ts';

export interface HaltedDeps {
  readonly clock: Clock;
  readonly ledger: Pick<CallLedger, 'open'>;
}

/**
 * Records the usage row of a call that was refused because of the kill switch (GW-12); the body of the call was not
 * read.
 */
export function bookHalted({ clock, ledger }: HaltedDeps, path: CallPath, principal: Principal): void {
  const head = beginHead({ path, principal, stream: false }, clock);
  const refused = { status: 'refused', errorClass: 'kill_switch_engaged', usage: undefined } as const;
  const describe = () => {
    const row = buildUsageRow({ head, model: undefined, ...refused, durationMs: 0, firstByteMs: null });
    return { row, principal, session: undefined, captured: undefined };
  };
  ledger.open()({ accountId: head.accountId, describe });
}
