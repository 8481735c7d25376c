import { createHash } from 'node:crypto';

/**
 * Maximum length of an exposed name. Model APIs accept at most 64 characters of `a-z A-Z 0-9 _ -`, and clients add the
 * name of this service as a prefix. In Claude Code, the prefix `mcp__steward__` has 14 characters. In Cursor, which
 * accepts only 60 characters in total, the prefix has 8.
 */
const LONGEST = 50;
/** Maximum length in earlier releases; existing flows may use names that were shortened to this length. */
const LONGEST_BEFORE = 60;
const DIGITS = 8;
const OTHERS = /[^A-Za-z0-9_-]/g;

/** Key in `_meta` of a tool with a changed name; its value is the list of the tool's other names. */
export const ALSO_NAMED = 'steward/also_named';

/**
 * Returns the name under which agents see a server's tool. A name that is too long is shortened, and characters other
 * than letters, digits, `_` and `-` are replaced by `_`; a changed name ends with a few characters of the original
 * name's hash, so that it remains unique and is the same in every process. Server names contain no underscore, so the
 * tools of two servers never have the same name.
 */
export function exposeName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  const fitting = name.replace(OTHERS, '_');
  return fitting === name ? shorten(name, LONGEST) : cut(fitting, hash(name), LONGEST);
}

/**
 * Returns alternative names of a tool: its full name, and the name used by earlier releases. Returns an empty list if
 * agents see the full name.
 */
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

/**
 * Finds the tool to which an agent refers by a name: the listed names are compared first, then the alternative names.
 */
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
