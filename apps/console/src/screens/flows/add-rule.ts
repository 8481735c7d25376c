/** A rule that requires approval for tool calls by a flow. */
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
  /** 0 if no policy has been applied yet; the text is then the default of the service. */
  readonly version: number;
}

const RULES = /^rules:[ \t]*(?:\[[ \t]*\])?[ \t]*(?:#.*)?$/m;
const FIRST_ITEM = /^([ \t]*)- /m;

/**
 * Puts the rule before all others in the document, so that the other rules decide only about calls that this rule does
 * not match. The rest of a YAML text stays unchanged, including comments; a JSON text is formatted again. Returns
 * undefined if a YAML text has its rules in brackets (`rules: [...]`), unless the brackets are empty. If no policy has
 * been applied yet, returns a document that contains only the rule.
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
