import type { CallLimit, KeyLimits } from '@steward/contracts';

/** Whose a call is: what budgets are matched by. */
export interface SpendSubject {
  readonly apiKeyId: string | null;
  readonly managedAgentId: string | null;
  readonly flowId: string | null;
  readonly modelAlias: string | null;
}

export interface SpendRequest extends SpendSubject {
  /** Of the call; its usage row has the same. */
  readonly id: string;
  /** What it may cost at most, in US dollars as decimal text; null: nobody knows. */
  readonly amountUsd: string | null;
  /** Its body does not show what it costs: `amountUsd` is that of the largest input. */
  readonly isUnsized?: boolean | undefined;
  /** Of the API key, and of those that made it: what is counted in minutes and days. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /** What it may take at most, for limits of tokens. */
  readonly tokens?: number | undefined;
  /** Kept for whoever has to tell of the call when its process has died. */
  readonly call: object;
  /** The call that this one takes the place of: what it holds is given back when this one is granted. */
  readonly replaces?: string | undefined;
}

export interface Settlement extends SpendSubject {
  /** Of the reservation, if there was one. */
  readonly id: string;
  /** When it was granted, or came in: it counts into the periods of that moment. */
  readonly occurredAt: Date;
  /** What it cost; null: nobody knows, and nothing is counted. */
  readonly costUsd: string | null;
  /** What it took, for limits of tokens. */
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  /** False: the books have this call already, and only what it may still hold is given back. */
  readonly isBooked: boolean;
  /** Of a call that was granted from a lease and has no reservation of its own: what goes back. */
  readonly drawn?: { readonly leaseId: string; readonly amountUsd: string } | undefined;
}

export type ReserveOutcome =
  | {
      readonly kind: 'reserved';
      /** By the clock of the database: it counts into the periods of that moment. */
      readonly occurredAt: Date;
    }
  | {
      readonly kind: 'budget_exceeded' | 'unpriced_model' | 'unsized_call';
      readonly budgetId: string;
      /** For people: what was refused by what. */
      readonly reason: string;
      /** When the budget begins anew; undefined: never. */
      readonly resetsAt: Date | undefined;
    }
  | {
      readonly kind: 'key_limit_reached';
      readonly limit: CallLimit;
      /** For people. */
      readonly reason: string;
      /** When the limit begins anew. */
      readonly resetsAt: Date;
      /** By the clock of the database. */
      readonly now: Date;
    };

/** Refused, but the database could not take that it is told of: whoever asked is told of the failure instead. */
export interface UntoldRefusal {
  readonly kind: 'untold';
  readonly error: unknown;
}
