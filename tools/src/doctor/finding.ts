import type pg from 'pg';

/** Result of a check. `advice` describes the action to be taken; undefined if there is none. */
export interface Finding {
  readonly topic: string;
  readonly found: string;
  readonly advice?: string;
}

/** Check that reads the database, and changes nothing. */
export type Check = (client: pg.Client) => Promise<readonly Finding[]>;

/** Returns the recommendation only if the condition is true. */
export function adviseIf(condition: boolean, advice: string): { readonly advice?: string } {
  return condition ? { advice } : {};
}
