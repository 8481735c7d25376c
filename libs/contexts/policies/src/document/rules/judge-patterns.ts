import { compileToolPattern, splitToolPattern } from '../../decision/rules/glob.ts';
import { fold } from '../../decision/rules/read-tool-name.ts';
import type { PolicyRule } from './policy-document.ts';

/** Tools of a server of the account, as far as they have been seen. */
export interface KnownTools {
  readonly server: string;
  readonly names: readonly string[];
}

/**
 * Matches characters of other glob syntaxes, of regular expressions and of coding agents' rules (`Bash(git:*)`), which
 * no tool name contains.
 */
const NO_NAME = /\*\*|[{}[\]()?!^$|\\,+]/;
/** Matches characters of other glob syntaxes that may also be literal in names chosen by users. */
const UNUSUAL = /\*\*|\?|^!|\{[^}]*,[^}]*\}|\[[^\]]+-[^\]]+\]/;
/**
 * Number of comparisons of patterns with names after which no more patterns are checked; this many take a twentieth of
 * a second.
 */
const MAX_COMPARISONS = 500_000;

/** Returns a description of the error in a tool pattern; undefined if the pattern is valid. */
export function findToolPatternFault(pattern: string): string | undefined {
  const sign = NO_NAME.exec(pattern)?.[0];
  if (sign === undefined) return undefined;
  const advice =
    sign === '!'
      ? 'Exceptions within a list are not supported: place a rule with the other action before this one.'
      : 'Write one pattern for each name.';
  return `"${pattern}" matches no tool: in patterns only * is a wildcard, and no tool name contains ${sign}. ${advice}`;
}

/** Returns a warning if a pattern for names or ids of callers is probably wrong. */
export function findNameDoubt(pattern: string): string | undefined {
  const sign = UNUSUAL.exec(pattern)?.[0];
  if (sign === undefined) return undefined;
  return `"${pattern}" is taken literally: only * is a wildcard, and ${sign} stands for itself.`;
}

/**
 * Creates a function that returns a warning if a pattern matches none of the known tools of its server; undefined if
 * the pattern matches one, if no tools of the server are known, or after `MAX_COMPARISONS` comparisons.
 */
export function createSeenJudge(known: readonly KnownTools[]): (pattern: string) => string | undefined {
  const servers = new Map(known.map(({ server, names }) => [fold(server), names]));
  let comparisons = 0;
  return (pattern) => {
    const [{ server }] = splitToolPattern(pattern);
    const names = servers.get(fold(server));
    if (names === undefined || names.length === 0 || comparisons > MAX_COMPARISONS) return undefined;
    comparisons += names.length;
    const matches = compileToolPattern(fold(pattern));
    if (names.some((name) => matches(fold(server), fold(name)))) return undefined;
    return `"${pattern}" matches no known tool of "${server}".`;
  };
}

/** Returns the patterns of each list of names in a rule, with the key of the list. */
export function listNamePatterns({
  match = {},
}: PolicyRule): { readonly key: string; readonly names: readonly string[] }[] {
  const { agent_kinds = [], agent_tags = [], agents = [], api_keys = [], flows = [] } = match;
  return Object.entries({ agent_kinds, agent_tags, agents, api_keys, flows }).map(([key, names]) => ({ key, names }));
}
