import type { Clock } from '@steward/async';
import type { Principal } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { CallPath } from '../call-path.ts';
import type { CallBooks } from './call-books.ts';
import { buildUsageRow, describeCaller } from './call-facts.ts';

export interface HaltedDeps {
  readonly clock: Clock;
  readonly books: Pick<CallBooks, 'open'>;
}

/** The row of a call that the kill switch refused (GW-12): nothing of it was read. */
export function bookHalted({ clock, books }: HaltedDeps, path: CallPath, principal: Principal): void {
  const head = {
    ...describeCaller(principal),
    id: newId(),
    occurredAt: clock.now(),
    endpoint: path.slice(1),
    stream: false,
  };
  const refused = { status: 'refused', errorClass: 'kill_switch_engaged', usage: undefined } as const;
  const row = buildUsageRow({ head, model: undefined, ...refused, durationMs: 0, firstByteMs: null });
  books.open()({ row, principal, session: undefined, captured: undefined });
}
