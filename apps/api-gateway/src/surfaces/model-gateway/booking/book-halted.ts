import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import { type CallPath, beginHead, buildUsageRow } from '@steward/model-calls';
import type { CallBooks } from './call-books.ts';

export interface HaltedDeps {
  readonly clock: Clock;
  readonly books: Pick<CallBooks, 'open'>;
}

/** The usage row of a call that the kill switch refused (GW-12): nothing of it was read. */
export function bookHalted({ clock, books }: HaltedDeps, path: CallPath, principal: Principal): void {
  const head = beginHead({ path, principal, stream: false }, clock);
  const refused = { status: 'refused', errorClass: 'kill_switch_engaged', usage: undefined } as const;
  const row = buildUsageRow({ head, model: undefined, ...refused, durationMs: 0, firstByteMs: null });
  books.open()({ row, principal, session: undefined, captured: undefined });
}
