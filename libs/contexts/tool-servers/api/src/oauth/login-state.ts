import { createHash, randomBytes } from 'node:crypto';

/** Returns a new value of the OAuth parameter `state`; it can neither be guessed nor be derived from stored data. */
export const newState = (): string => randomBytes(32).toString('base64url');

export const hashState = (state: string): Buffer => createHash('sha256').update(state).digest();
