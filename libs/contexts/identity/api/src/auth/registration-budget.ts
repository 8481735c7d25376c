import { AppError } from '@steward/contracts';
import { buildAddressKey, createTokenBuckets } from '@steward/api';

/** Maximum number of stored addresses, which limits the memory to about 2 MB. */
const MAX_KEYS = 10_000;

export interface RegistrationBudget {
  /** Charges one registration. @throws rate_limited */
  spend(remoteAddress: string): void;
}

/**
 * Creates a budget that limits registrations per address and gateway process; registrations with taken names also
 * count, so that names cannot be enumerated.
 */
export function createRegistrationBudget(
  perMinute: number,
  nowMs: () => number = () => performance.now(),
): RegistrationBudget {
  const buckets = createTokenBuckets({ perMinute, maxKeys: MAX_KEYS, nowMs });
  return {
    spend(remoteAddress) {
      const key = buildAddressKey(remoteAddress);
      const seconds = buckets.secondsUntilToken(key);
      if (seconds > 0) {
        throw new AppError('rate_limited', {
          message: `Too many registrations from this address. Try again in ${seconds} s.`,
          retryAfterSeconds: seconds,
        });
      }
      buckets.take(key);
    },
  };
}
