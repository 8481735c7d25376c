import { printTable } from '../print-table.ts';

export interface Target {
  readonly what: string;
  readonly measuredMs: number;
  readonly mostMs: number;
}

/** Prints the targets next to the measured values. Returns true if all targets are met. */
export function printTargets(targets: readonly Target[]): boolean {
  const isMet = ({ measuredMs, mostMs }: Target): boolean => measuredMs <= mostMs;
  console.log('');
  printTable(
    ['target', 'measured ms', 'at most', ''],
    targets.map((one) => [one.what, one.measuredMs, one.mostMs, isMet(one) ? 'met' : 'MISSED']),
  );
  return targets.every(isMet);
}
