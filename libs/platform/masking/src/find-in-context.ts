import { CONTEXT_RULES, KEYWORDS_WITHIN_WORDS, type ContextRule } from './context-rules.ts';
import type { Find } from './credential.ts';
import { VENDOR_RULE } from './vendor-rule.ts';

const RULES = new Map<string, ContextRule[]>();
for (const rule of [...CONTEXT_RULES, VENDOR_RULE]) {
  for (const keyword of rule.keywords) RULES.set(keyword, [...(RULES.get(keyword) ?? []), rule]);
}

const KEYWORD = buildKeywordSearch();

/** Builds one regular expression for all keywords; its look-behind skips nearly all positions of ordinary text. */
function buildKeywordSearch(): RegExp {
  const escape = (text: string): string => text.replaceAll(/[.*/+|:]/g, String.raw`\$&`);
  const within = new Set(KEYWORDS_WITHIN_WORDS);
  const starting = [...RULES.keys()].filter((keyword) => !within.has(keyword)).sort((a, b) => (a < b ? 1 : -1));
  const alternatives = (keywords: readonly string[]): string => keywords.map(escape).join('|');
  return new RegExp(`(?<![a-z0-9])(?:${alternatives(starting)})|${alternatives(KEYWORDS_WITHIN_WORDS)}`, 'g');
}

/** Finds credentials identified by their context: applies only the rules that have a keyword in the text. */
export function findInContext(text: string, found: Find[]): void {
  const lower = text.toLowerCase();
  KEYWORD.lastIndex = 0;
  let hit = KEYWORD.exec(lower);
  if (hit === null) return;
  const rules = new Set<ContextRule>();
  const keywords = new Set<string>();
  for (; hit !== null; hit = KEYWORD.exec(lower)) {
    if (keywords.has(hit[0])) continue;
    keywords.add(hit[0]);
    for (const rule of RULES.get(hit[0]) ?? []) rules.add(rule);
  }
  for (const rule of rules) search(text, rule, found);
}

function search(text: string, { id, pattern, isCredential }: ContextRule, found: Find[]): void {
  pattern.lastIndex = 0;
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    const { q, s, b, secret, hidden } = hit.indices?.groups ?? {};
    const place = q ?? s ?? b ?? secret;
    if (place === undefined) continue;
    const [start, end] = place;
    if (isCredential?.(text.slice(start, end), hit) === false) continue;
    found.push(
      hidden === undefined
        ? { start, end, rule: id }
        : { start: hidden[0], end: hidden[1], rule: id, secret: [start, end] },
    );
  }
}
