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
  /** When the call came in: it counts into the periods of that moment. */
  readonly occurredAt: Date;
  /** What it may cost at most, in US dollars as decimal text; null: nobody knows. */
  readonly amountUsd: string | null;
  /** Kept for whoever has to tell of the call when its process has died. */
  readonly call: object;
}

export interface Settlement extends SpendSubject {
  /** Of the reservation, if there was one. */
  readonly id: string;
  readonly occurredAt: Date;
  /** What it cost; null: nobody knows, and nothing is counted. */
  readonly costUsd: string | null;
  /** False: the books have this call already, and only what it may still hold is given back. */
  readonly isBooked: boolean;
}

export type ReserveOutcome =
  | { readonly kind: 'reserved' }
  | {
      readonly kind: 'budget_exceeded' | 'unpriced_model';
      readonly budgetId: string;
      /** For people: what was refused by what. */
      readonly reason: string;
      /** When the budget begins anew; undefined: never. */
      readonly resetsAt: Date | undefined;
    };
