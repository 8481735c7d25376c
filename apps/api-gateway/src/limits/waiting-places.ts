import { AppError } from '@steward/contracts';

/** How many requests that wait for something (streams, long polls) one account may have open in this process. */
export interface WaitingPlaces {
  /** Takes a place until the answer is called. @throws rate_limited when the account has none left, unavailable when nobody has */
  enter(accountId: string): () => void;
}

/** A place becomes free when a run ends or a client leaves: nobody can say when. */
const RETRY_AFTER_SECONDS = 5;

interface WaitingPlacesOptions {
  readonly perAccount: number;
  /** Of all accounts together, where each costs the process memory. */
  readonly inAll?: number;
  /** What takes a place, for whoever finds none. */
  readonly what?: string;
}

export function createWaitingPlaces(options: WaitingPlacesOptions): WaitingPlaces {
  const { perAccount, inAll = Infinity, what = 'streams and long polls' } = options;
  const taken = new Map<string, number>();
  let takenInAll = 0;
  return {
    enter(accountId) {
      const others = taken.get(accountId) ?? 0;
      if (others >= perAccount) {
        throw new AppError('rate_limited', {
          message: `The account has ${perAccount} ${what} open, as many as it may have. Let some end first.`,
          detail: { limit: perAccount },
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      if (takenInAll >= inAll) {
        const message = `As many ${what} as this process takes at once are open. Try again in a moment.`;
        throw new AppError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      taken.set(accountId, others + 1);
      takenInAll += 1;
      return () => {
        takenInAll -= 1;
        const left = (taken.get(accountId) ?? 1) - 1;
        if (left > 0) taken.set(accountId, left);
        else taken.delete(accountId);
      };
    },
  };
}
