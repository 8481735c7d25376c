import { newId } from '@steward/crypto';

const ACCEPTED = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Echoes the caller's id when it is harmless to log and to send back, else makes one. */
export function readRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : newId();
}
