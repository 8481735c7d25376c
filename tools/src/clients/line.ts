import type { Ended } from './run-program.ts';

export interface Line {
  readonly check: string;
  /** True if the check passed; undefined if it does not apply to the agent. */
  readonly passed: boolean | undefined;
  readonly found: string;
}

export function tell(check: string, passed: boolean | undefined, found: string): Line {
  return { check, passed, found };
}

export const lastLine = ({ printed }: Ended): string => printed.trim().split('\n').at(-1) ?? '';
