import { createHash, randomBytes } from 'node:crypto';

/** What comes back with the person: nobody guesses it, and nothing stored tells it. */
export const newState = (): string => randomBytes(32).toString('base64url');

export const hashState = (state: string): Buffer => createHash('sha256').update(state).digest();
