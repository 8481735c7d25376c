import type { CliContext } from './cli-context.ts';
import { refuse } from './exit-codes.ts';

/**
 * Reads a secret from an environment variable. The value itself would be visible to other users of the machine in the
 * process list.
 */
export function readSecret({ env, output }: Pick<CliContext, 'env' | 'output'>, variable: string): string {
  const secret = env[variable];
  if (secret === undefined || secret === '') throw refuse(`The environment variable ${variable} is not set.`);
  output.keepSecret(secret);
  return secret;
}
