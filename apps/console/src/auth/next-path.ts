/** The first screen after signing in. */
export const FIRST_PATH = '/search';

/**
 * Returns the path to continue with after signing in. A path that leads to another site (`//evil.test`, `/\evil.test`,
 * `https:`) or to the sign-in or registration page, or that contains white space, control characters or characters
 * outside ASCII, is replaced with the first screen.
 */
export function readNextPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?!\/)[!-[\]-~]*$/.test(next)) return FIRST_PATH;
  return /^\/(?:login|register)(?:[/?#]|$)/.test(next) ? FIRST_PATH : next;
}
