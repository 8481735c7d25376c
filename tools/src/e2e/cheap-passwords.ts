const SCRIPT = `
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
const { scrypt } = crypto;
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 2 }, done);
syncBuiltinESMExports();
`;

/**
 * Node option with which the processes of a suite derive password hashes at almost no cost. A hash still contains the
 * cost of production, so it can be verified only by processes that have this option too.
 */
export const CHEAP_PASSWORDS = `--import=data:text/javascript,${encodeURIComponent(SCRIPT)}`;
