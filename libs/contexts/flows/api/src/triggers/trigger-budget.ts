import { AppError } from '@steward/contracts';
import { buildAddressKey, createTokenBuckets } from '@steward/api';

/**
 * Rate limits of triggers, per gateway process. The rate limit of a flow is charged only after its secret (or the
 * caller's token) has been found valid: otherwise a sender could use it up or learn from a 429 response that the flow
 * exists.
 */
export interface TriggerBudget {
  /**
   * Charges one trigger.
   * @throws rate_limited if the flow or the address has no triggers left; then neither is charged.
   */
  spendTrigger(flowId: string, remoteAddress: string): void;
  /**
   * Counts one request for an unknown flow or with a wrong secret.
   * @throws rate_limited, instead of the 404, if too many such requests came from the address
   */
  spendFailure(remoteAddress: string): void;
}

/**
 * Ratio of the rate limit of an address to that of a flow: one address, such as that of a code host or of a company,
 * may trigger several flows. Failed logins use the same factor.
 */
export const ADDRESS_FACTOR = 5;
/**
 * Maximum number of stored keys, which limits the memory to about 2 MB per kind of rate limit, for any number of
 * addresses.
 */
const MAX_KEYS = 10_000;

export function createTriggerBudget(
  options: { readonly perMinute: number },
  nowMs: () => number = () => performance.now(),
): TriggerBudget {
  const common = { maxKeys: MAX_KEYS, nowMs };
  const flows = createTokenBuckets({ ...common, perMinute: options.perMinute });
  const addresses = createTokenBuckets({ ...common, perMinute: options.perMinute * ADDRESS_FACTOR });
  const failures = createTokenBuckets({ ...common, perMinute: options.perMinute });
  return {
    spendTrigger(flowId, remoteAddress) {
      const address = buildAddressKey(remoteAddress);
      const seconds = Math.max(flows.secondsUntilToken(flowId), addresses.secondsUntilToken(address));
      if (seconds > 0) throw refuse('Too many triggers for this flow or from this address.', seconds);
      flows.take(flowId);
      addresses.take(address);
    },
    spendFailure(remoteAddress) {
      const address = buildAddressKey(remoteAddress);
      const seconds = failures.secondsUntilToken(address);
      if (seconds > 0) throw refuse('Too many requests for unknown flows or with wrong secrets.', seconds);
      failures.take(address);
    },
  };
}

function refuse(problem: string, retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', {
    message: `${problem} Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  });
}
