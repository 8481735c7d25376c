import { COMMAND_RULES, type CommandRule } from './command-rules.ts';
import type { Find } from './credential.ts';

const RULES = new Map<string, CommandRule[]>();
for (const rule of COMMAND_RULES) {
  for (const name of rule.commands) RULES.set(name, [...(RULES.get(name) ?? []), rule]);
}
const NAMES = [...RULES.keys()].sort((a, b) => (a < b ? 1 : -1));
const COMMAND = new RegExp(`(?<![A-Za-z0-9_-])(?:${NAMES.join('|')})(?=\\s+\\S)`, 'g');
/** Matches the end of a command; a line that ends with a backslash continues on the next line. */
const END = /(?<!\\)\n|\s[|&]{1,2}\s|;\s/g;
const LONGEST_COMMAND = 8192;

/** Finds credentials among the options of commands, such as `curl -u user:password`. */
export function findInCommands(text: string, found: Find[]): void {
  /**
   * For each rule, the end of the command to which it was last applied: matches before this end are skipped, so that a
   * command in which one word is repeated is read only once.
   */
  const readUntil = new Map<CommandRule, number>();
  COMMAND.lastIndex = 0;
  for (let hit = COMMAND.exec(text); hit !== null; hit = COMMAND.exec(text)) {
    const rules = (RULES.get(hit[0]) ?? []).filter((rule) => (readUntil.get(rule) ?? 0) <= hit.index);
    if (rules.length === 0) continue;
    const start = COMMAND.lastIndex;
    const end = findEnd(text, start);
    for (const rule of rules) {
      search(text.slice(start, end), start, rule, found);
      readUntil.set(rule, end);
    }
  }
}

/**
 * Returns the end of a command. Separators in double quotes do not count (`-H "Accept: text/html; charset=utf-8"`),
 * except for line breaks.
 */
function findEnd(text: string, start: number): number {
  const most = Math.min(text.length, start + LONGEST_COMMAND);
  let isQuoted = false;
  let from = start;
  END.lastIndex = start;
  for (let hit = END.exec(text); hit !== null && hit.index < most; hit = END.exec(text)) {
    for (const sign of text.slice(from, hit.index)) if (sign === '"') isQuoted = !isQuoted;
    from = hit.index;
    if (!isQuoted || hit[0] === '\n') return hit.index;
  }
  return most;
}

function search(command: string, offset: number, rule: CommandRule, found: Find[]): void {
  rule.option.lastIndex = 0;
  for (let hit = rule.option.exec(command); hit !== null; hit = rule.option.exec(command)) {
    const { q, s, b } = hit.indices?.groups ?? {};
    const place = q ?? s ?? b;
    if (place === undefined || !rule.isCredential(command.slice(...place))) continue;
    found.push({ start: offset + place[0], end: offset + place[1], rule: rule.id });
  }
}
