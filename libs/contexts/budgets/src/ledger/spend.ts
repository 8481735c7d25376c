import type { CallLimit, KeyLimits } from '@steward/contracts';

/** Attributes of a call that determine which budgets apply to it. */
export interface SpendSubject {
  readonly apiKeyId: string | null;
  readonly managedAgentId: string | null;
  readonly flowId: string | null;
  readonly modelAlias: string | null;
}

export interface SpendRequest extends SpendSubject {
  /** Id of the call, which is also the id of its usage row. */
  readonly id: string;
  /** Maximum cost, in US dollars as a decimal string; null: unknown. */
  readonly amountUsd: string | null;
  /** True if the cost cannot be determined from the body: `amountUsd` then assumes the largest input. */
  readonly isUnsized?: boolean | undefined;
  /** Limits of the API key and of the keys that created it, per minute and day. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /** Maximum number of tokens, for token limits. */
  readonly tokens?: number | undefined;
  /** Data of the call, stored so that another process can record the call if the process that makes the call dies. */
  readonly call: object;
  /**
   * Id of the call that this call replaces: the reservation of the replaced call is released when this call is granted.
   */
  readonly replaces?: string | undefined;
}

/** The part of a lease that is released when the call ends. */
export interface DrawnAmount {
  readonly leaseId: string;
  readonly amountUsd: string;
}

export interface Settlement extends SpendSubject {
  /** Id of the call and of its reservation, if there was one. */
  readonly id: string;
  /** Time when the call was granted or arrived, which determines the periods. */
  readonly occurredAt: Date;
  /** Cost; null: unknown, and nothing is counted. */
  readonly costUsd: string | null;
  /** Used tokens, for token limits. */
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  /** True if the ledger already contains this call; then only a remaining reservation is released. */
  readonly isBooked: boolean;
  /** Amount to return for a call that was granted from a lease and has no separate reservation. */
  readonly drawn?: DrawnAmount | undefined;
}

export type ReserveOutcome =
  | {
      readonly kind: 'reserved';
      /** Time according to the database's clock, which determines the periods. */
      readonly occurredAt: Date;
    }
  | {
      readonly kind: 'budget_exceeded' | 'unpriced_model' | 'unsized_call';
      readonly budgetId: string;
      /** Human-readable message: what was refused and why. */
      readonly reason: string;
      /** Time when the budget resets; undefined if it never does, and for `unpriced_model` and `unsized_call`. */
      readonly resetsAt: Date | undefined;
    }
  | {
      readonly kind: 'key_limit_reached';
      readonly limit: CallLimit;
      /** Human-readable message. */
      readonly reason: string;
      /** Time when the limit resets. */
      readonly resetsAt: Date;
      /** Time according to the database's clock. */
      readonly now: Date;
    };

/**
 * The call was refused, but repeating the check or writing the alert failed: the caller gets this error, not the
 * refusal.
 */
export interface UntoldRefusal {
  readonly kind: 'untold';
  readonly error: unknown;
}
