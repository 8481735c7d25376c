import { PASSWORD_COST } from '../passwords/password-hash.ts';

const { N } = PASSWORD_COST;

/**
 * Makes every hash of this process cost next to nothing, until the returned function is called: tests that are not about
 * the cost of passwords would spend minutes on it.
 */
export function hashPasswordsCheaply(): () => void {
  PASSWORD_COST.N = 2;
  return () => void (PASSWORD_COST.N = N);
}
