import { createHash } from 'node:crypto';

/** Model APIs take 64 characters of a name, and some clients put a few of their own in front. */
const LONGEST = 60;
const DIGITS = 8;

/**
 * How agents see a tool of a server. A name that is too long keeps its beginning and ends with a few characters of its hash: the
 * same ones in every process, for good. Names of servers hold no underscore, so two servers never share a name.
 */
export function exposeName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  if (name.length <= LONGEST) return name;
  const hash = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
    .toString(36)
    .padStart(DIGITS, '0');
  return `${name.slice(0, LONGEST - DIGITS - 1)}_${hash.slice(-DIGITS)}`;
}
