/** Where everybody begins. */
export const FIRST_PATH = '/search';

/** A path of this page to go on to, in the characters of an encoded address; whatever leads elsewhere (`//evil.test`, `/\evil.test`, `https:`) is the first screen. */
export function readNextPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?!\/)[!-[\]-~]*$/.test(next)) return FIRST_PATH;
  return /^\/(?:login|register)(?:[/?#]|$)/.test(next) ? FIRST_PATH : next;
}
