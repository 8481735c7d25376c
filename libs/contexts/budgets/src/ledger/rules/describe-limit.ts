import type { CallLimit } from '@steward/contracts';
import type { ReserveOutcome } from '../spend.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Describes a call that exceeds a limit of its key; the limit resets at the beginning of the next minute or day in UTC.
 */
export function describeLimit(limit: CallLimit, now: Date): ReserveOutcome {
  const spanMs = limit.endsWith('_per_day') ? DAY_MS : MINUTE_MS;
  const resetsAt = new Date((Math.floor(now.getTime() / spanMs) + 1) * spanMs);
  const reason = `The limit "${limit}" of this API key is reached. It resets at ${resetsAt.toISOString()}.`;
  return { kind: 'key_limit_reached', limit, reason, resetsAt, now };
}
