import { printTable } from '../print-table.ts';
import type { Ledger } from './reconcile.ts';

interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly target: string;
  readonly met: boolean;
}

/** Prints the targets next to the results, and the events that did not arrive. */
export interface Verdicts {
  addLedger(ledger: Ledger): void;
  atLeast(what: string, measured: number, target: number): void;
  below(what: string, measured: number, target: number): void;
  print(): void;
  lostEvents(): number;
  areMet(): boolean;
}

export function createVerdicts(): Verdicts {
  const verdicts: Verdict[] = [];
  let lost = 0;
  return {
    addLedger(ledger) {
      lost += ledger.lost;
    },
    atLeast(what, measured, target) {
      verdicts.push({ what, measured, target: `>= ${target}`, met: measured >= target });
    },
    below(what, measured, target) {
      verdicts.push({ what, measured, target: `< ${target}`, met: measured < target });
    },
    print() {
      console.log('\nTargets\n');
      printTable(
        ['', 'measured', 'target', ''],
        verdicts.map(({ what, measured, target, met }) => [what, measured, target, met ? 'met' : 'MISSED']),
      );
      console.log(lost === 0 ? '\n  every event arrived' : `\n  LOST: ${lost} events`);
    },
    lostEvents: () => lost,
    areMet: () => verdicts.every(({ met }) => met),
  };
}
