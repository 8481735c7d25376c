import { EVENT_TYPES, type Envelope, type EventData } from '@steward/contracts';
import { newId } from '@steward/crypto';

/** Type of the event that all contenders post, with the same bytes. */
export const BENCH_EVENT_TYPE = 'session.ended' as const;
export const BENCH_EVENT_DATA: EventData<typeof BENCH_EVENT_TYPE> = EVENT_TYPES[BENCH_EVENT_TYPE].example;

export interface BenchEvent {
  readonly id: string;
  readonly accountId: string;
  readonly body: string;
}

/** Builds events for the accounts in turn. */
export function buildEvents(count: number, accountIds: readonly string[]): BenchEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const id = newId();
    const accountId = accountIds[index % accountIds.length] ?? '';
    const envelope: Envelope = {
      id,
      type: BENCH_EVENT_TYPE,
      version: '1',
      occurred_at: new Date().toISOString(),
      account_id: accountId,
      data: BENCH_EVENT_DATA,
    };
    return { id, accountId, body: JSON.stringify(envelope) };
  });
}
