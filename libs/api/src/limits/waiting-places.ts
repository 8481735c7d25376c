import { AppError, type Principal } from '@steward/contracts';

/** Holder of a slot: an account, and its user or key that sent the request. */
export type PlaceHolder = Pick<Principal, 'accountId' | 'userId' | 'apiKeyId'>;

/** Limits how many requests that stay open (streams, long polls, transfers) this process serves at once. */
export interface WaitingPlaces {
  /**
   * Takes a slot, and returns the function that releases it. @throws rate_limited if the account, or its user or key,
   * has no free slot, unavailable if the process has none
   */
  enter(holder: PlaceHolder): () => void;
  /**
   * Takes a slot if one is free; returns undefined instead of throwing, for callers that can continue without a slot.
   */
  enterIfFree(holder: PlaceHolder): (() => void) | undefined;
}

export interface WaitingPlacesOptions {
  readonly perAccount: number;
  /** Maximum number of slots for one user or key, so that none of them can take all slots of the account. */
  readonly perCredential?: number;
  /** Maximum number of slots for all accounts together; set if each slot uses memory of the process. */
  readonly inAll?: number;
  /** Name of the requests, for the error message. */
  readonly what: string;
  /**
   * Setting with which an operator can increase the number of slots per account; undefined if there is no such setting.
   */
  readonly variable?: string;
  /** Called for each slot that is taken or released. */
  readonly onTaken?: (takenInAll: number) => void;
  /** Called each time a slot is refused. */
  readonly onRefused?: (limit: PlaceLimit) => void;
}

/** The limit that was reached. */
export type PlaceLimit = 'credential' | 'account' | 'process';

/** Delay after which a client may retry: a slot becomes free when an open request ends, which cannot be predicted. */
const RETRY_AFTER_SECONDS = 5;

export function createWaitingPlaces(options: WaitingPlacesOptions): WaitingPlaces {
  const { perAccount, perCredential = Infinity, inAll = Infinity, onTaken, onRefused } = options;
  const ofAccounts = createTally();
  const ofCredentials = createTally();
  let takenInAll = 0;

  function findReached(accountId: string, credentialId: string): PlaceLimit | undefined {
    if (ofAccounts.read(accountId) >= perAccount) return 'account';
    if (ofCredentials.read(credentialId) >= perCredential) return 'credential';
    return takenInAll >= inAll ? 'process' : undefined;
  }

  function move(accountId: string, credentialId: string, by: 1 | -1): void {
    takenInAll += by;
    ofAccounts.add(accountId, by);
    ofCredentials.add(credentialId, by);
    onTaken?.(takenInAll);
  }

  function take({ accountId, userId, apiKeyId = userId }: PlaceHolder): (() => void) | PlaceLimit {
    const reached = findReached(accountId, apiKeyId);
    if (reached !== undefined) {
      onRefused?.(reached);
      return reached;
    }
    move(accountId, apiKeyId, 1);
    let isTaken = true;
    return () => {
      if (isTaken) move(accountId, apiKeyId, -1);
      isTaken = false;
    };
  }

  return {
    enter(holder) {
      const taken = take(holder);
      if (typeof taken === 'function') return taken;
      throw refuse(taken, options);
    },
    enterIfFree(holder) {
      const taken = take(holder);
      return typeof taken === 'function' ? taken : undefined;
    },
  };
}

function refuse(
  reached: PlaceLimit,
  { perAccount, perCredential = perAccount, what, variable }: WaitingPlacesOptions,
): AppError {
  if (reached === 'process') {
    const message = `This process already has its maximum number of open ${what}. Try again in a moment.`;
    return new AppError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const [who, limit] = reached === 'account' ? ['The account', perAccount] : ['The caller', perCredential];
  const raise = variable === undefined ? '' : ` The operator can raise the limit with ${variable}.`;
  return new AppError('rate_limited', {
    message: `${who} already has ${limit} open ${what}, which is the limit. Wait until some have ended.${raise}`,
    detail: { limit },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Creates counts by id; a zero count takes no memory. */
function createTally() {
  const counts = new Map<string, number>();
  return {
    read: (id: string): number => counts.get(id) ?? 0,
    add(id: string, by: number): void {
      const count = (counts.get(id) ?? 0) + by;
      if (count > 0) counts.set(id, count);
      else counts.delete(id);
    },
  };
}
