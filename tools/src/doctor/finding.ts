import type pg from 'pg';

/** One thing looked at. `advice` says what to do; without it there is nothing to do. */
export interface Finding {
  readonly topic: string;
  readonly found: string;
  readonly advice?: string;
}

/** Reads the database, changes nothing. */
export type Check = (client: pg.Client) => Promise<readonly Finding[]>;

/** An advice only where the condition holds. */
export function adviseIf(condition: boolean, advice: string): { readonly advice?: string } {
  return condition ? { advice } : {};
}
