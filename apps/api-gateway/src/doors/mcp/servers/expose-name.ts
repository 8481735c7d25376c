import { createHash } from 'node:crypto';

/**
 * Model APIs take 64 characters of `a-z A-Z 0-9 _ -`, and clients put the name they know this service by in front: of `mcp__steward__`
 * 14 characters in Claude Code, of `steward` 8 in Cursor, which takes 60.
 */
const LONGEST = 50;
const DIGITS = 8;
const OTHERS = /[^A-Za-z0-9_-]/g;

/**
 * How agents see a tool of a server. A name that is too long, or has a point in it, keeps what fits of it and ends with a few
 * characters of its hash: the same ones in every process, for good. Names of servers hold no underscore, so two servers never share a
 * name.
 */
export function exposeName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  const fitting = name.replace(OTHERS, '_');
  if (fitting === name && name.length <= LONGEST) return name;
  const hash = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
    .toString(36)
    .padStart(DIGITS, '0');
  return `${fitting.slice(0, LONGEST - DIGITS - 1)}_${hash.slice(-DIGITS)}`;
}

/** The tool that an agent means by a name: the one it sees so, else the one that is called so, which who knows its server writes. */
export function findByName<
  T extends { readonly definition: { readonly name: string }; readonly server: string; readonly name: string },
>(tools: readonly T[], name: string): T | undefined {
  return (
    tools.find(({ definition }) => definition.name === name) ??
    tools.find((tool) => `${tool.server}__${tool.name}` === name)
  );
}
