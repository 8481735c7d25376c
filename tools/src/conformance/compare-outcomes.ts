import type { SuiteOutcome } from './run-suite.ts';

/** Reasons for checks that pass against the server directly but not through the gateway. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'dns-rebinding-protection: localhost-host-valid-accepted': 'its Origin is not that of PUBLIC_URL (TOOL-2)',
};

export interface Comparison {
  /** Checks that pass only without the gateway. */
  readonly lost: readonly string[];
  /** Checks that pass only through the gateway. */
  readonly won: readonly string[];
  /** True if every check that passes only without the gateway has a documented reason (MC-1). */
  readonly isAsGood: boolean;
}

export function compareOutcomes(direct: SuiteOutcome, proxied: SuiteOutcome): Comparison {
  const passesOnly = (outcome: SuiteOutcome, other: SuiteOutcome): string[] =>
    [...outcome].filter(([name, passed]) => passed && other.get(name) !== true).map(([name]) => name);
  const lost = passesOnly(direct, proxied);
  return { lost, won: passesOnly(proxied, direct), isAsGood: lost.every((name) => name in EXCEPTIONS) };
}
