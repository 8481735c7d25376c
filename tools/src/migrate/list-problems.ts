import { SettingsError } from '@steward/process';
import { describeError } from '../describe-error.ts';

/** Returns the lines that a command prints before it exits with 1. */
export function listProblems(command: string, error: unknown): string[] {
  const problems = error instanceof SettingsError ? error.problems : [describeError(error)];
  return problems.map((problem) => `${command}: ${problem}`);
}
