import { createHash, randomBytes } from 'node:crypto';

/** The state that the person's browser returns: it cannot be guessed, or derived from stored data. */
export const newState = (): string => randomBytes(32).toString('base64url');

export const hashState = (state: string): Buffer => createHash('sha256').update(state).digest();
