import { PASSWORD_COST } from '../passwords/password-hash.ts';

const { N } = PASSWORD_COST;

/**
 * Makes every hash of this process very cheap until the returned function is called: otherwise tests that do not
 * concern the cost of hashing would spend minutes on it.
 */
export function hashPasswordsCheaply(): () => void {
  PASSWORD_COST.N = 2;
  return () => void (PASSWORD_COST.N = N);
}
