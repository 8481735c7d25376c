import { newId } from '@steward/crypto';

const ACCEPTED = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Returns the caller's request id if it is safe to log and to send back; otherwise creates one. */
export function readRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : newId();
}
