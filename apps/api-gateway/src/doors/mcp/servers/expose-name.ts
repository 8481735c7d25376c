import { createHash } from 'node:crypto';

/**
 * Model APIs take 64 characters of `a-z A-Z 0-9 _ -`, and clients put the name they know this service by in front: of `mcp__steward__`
 * 14 characters in Claude Code, of `steward` 8 in Cursor, which takes 60.
 */
const LONGEST = 50;
/** In the releases before: flows name tools so. */
const LONGEST_BEFORE = 60;
const DIGITS = 8;
const OTHERS = /[^A-Za-z0-9_-]/g;

/** In `_meta` of a tool that is offered by another name than its own: what else it is called by. */
export const ALSO_NAMED = 'steward/also_named';

/**
 * How agents see a tool of a server. A name that is too long, or has a point in it, keeps what fits of it and ends with a few
 * characters of its hash: the same ones in every process, for good. Names of servers hold no underscore, so two servers never share a
 * name.
 */
export function exposeName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  const fitting = name.replace(OTHERS, '_');
  return fitting === name ? shorten(name, LONGEST) : cut(fitting, hash(name), LONGEST);
}

/** What a tool is called by beside that: its whole name, and what it was offered as. Empty for one that is offered as it is called. */
export function listOtherNames(server: string, tool: string): readonly string[] {
  const name = `${server}__${tool}`;
  const shown = exposeName(server, tool);
  return [...new Set([name, shorten(name, LONGEST_BEFORE)])].filter((other) => other !== shown);
}

interface NamedTool {
  readonly definition: { readonly name: string };
  readonly server: string;
  readonly name: string;
}

/** The tool that an agent means by a name: the one it sees so, else one that is called so. */
export function findByName<T extends NamedTool>(tools: readonly T[], name: string): T | undefined {
  return (
    tools.find(({ definition }) => definition.name === name) ??
    tools.find((tool) => listOtherNames(tool.server, tool.name).includes(name))
  );
}

function shorten(name: string, longest: number): string {
  return name.length <= longest ? name : cut(name, hash(name), longest);
}

function cut(name: string, end: string, longest: number): string {
  return `${name.slice(0, longest - DIGITS - 1)}_${end}`;
}

function hash(name: string): string {
  const digest = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);
  return digest.toString(36).padStart(DIGITS, '0').slice(-DIGITS);
}
