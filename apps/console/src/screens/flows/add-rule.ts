/** What a rule says that asks people before calls of a flow. */
export interface GateRule {
  readonly id: string;
  readonly description: string;
  readonly match: { readonly tools: readonly string[]; readonly flows: readonly string[] };
  readonly action: 'require_approval';
  readonly workflow: string;
}

interface PolicyText {
  readonly text: string;
  readonly format: 'yaml' | 'json';
  /** 0: nobody applied one, and the text is that of the service. */
  readonly version: number;
}

const RULES = /^rules:[ \t]*(?:\[[ \t]*\])?[ \t]*(?:#.*)?$/m;
const FIRST_ITEM = /^([ \t]*)- /m;

/**
 * The document with the rule before all others, which decide only what it leaves to them. What people wrote stays as it is,
 * comments among it. Undefined where its rules are written in another way than a list of lines.
 */
export function addRule({ text, format, version }: PolicyText, rule: GateRule): string | undefined {
  const line = JSON.stringify(rule);
  if (version === 0) return `version: "1"\nrules:\n  - ${line}\n`;
  if (format === 'json') {
    const document = JSON.parse(text) as { readonly rules?: readonly unknown[] };
    return `${JSON.stringify({ ...document, rules: [rule, ...(document.rules ?? [])] }, null, 2)}\n`;
  }
  const found = RULES.exec(text);
  if (found === null) return /^rules:/m.test(text) ? undefined : `${text.trimEnd()}\nrules:\n  - ${line}\n`;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  const head = found[0].replace(/\[[ \t]*\]/, '').trimEnd();
  const isEmpty = head !== found[0].trimEnd();
  const indent = isEmpty ? '  ' : (FIRST_ITEM.exec(after)?.[1] ?? '  ');
  return `${before}${head}\n${indent}- ${line}${after}`;
}
