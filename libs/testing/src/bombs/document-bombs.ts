const MAX_BYTES = 250_000;
const repeat = (count: number, write: (index: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, index) => write(index))
    .join(between)
    .slice(0, MAX_BYTES);
const rules = (count: number, more: (index: number) => string): string =>
  `version: "1"\nrules:\n${repeat(count, (index) => `  - { id: r${index}, action: deny, ${more(index)} }`)}\n`;

/** Policies in YAML or JSON, each within the size limit, that cost their reader far more than their author. */
export const DOCUMENT_BOMBS: Readonly<Record<string, string>> = {
  'unknown keys': `version: "1"\n${repeat(24_000, (index) => `k${index}: 1`)}`,
  'unknown keys in JSON': JSON.stringify(Object.fromEntries(Array.from({ length: 18_000 }, (_, i) => [`k${i}`, 1]))),
  'anchors on one node': `version: "1"\nx: [${'&a '.repeat(80_000)}]`,
  'aliases of aliases': `version: "1"\n${repeat(10_000, (index) => `k${index}: [*a${index}, &a${index + 1} b]`)}`,
  'merge keys': `version: "1"\n${repeat(10_000, (index) => `k${index}: {<<: {a: 1}}`)}`,
  tags: `version: "1"\n${repeat(10_000, (index) => `k${index}: !!binary "aaaa"`)}`,
  'empty lists': `version: "1"\nrules: [${'[],'.repeat(80_000)}[]]`,
  'flow lists without an end': `version: "1"\nrules: ${'['.repeat(150)}${'[],'.repeat(70_000)}`,
  'a long scalar': `version: "1"\nmetadata: {name: "${'\\u0041'.repeat(40_000)}"}`,
  'blank comments': `${'#\n'.repeat(120_000)}version: "1"\n`,
  'a block of lines': `version: "1"\nmetadata:\n  description: |\n${'    a\n'.repeat(40_000)}`,
  'one key again and again': `version: "1"\n${'a: 1\n'.repeat(48_000)}`,
  'long keys': `version: "1"\n${repeat(240, (index) => `${'k'.repeat(1000)}${index}: 1`)}`,
  'faults in rules': `version: "1"\nrules: [${'{action: x},'.repeat(18_000)}]`,
  'a thousand rules': rules(
    1000,
    (index) =>
      `description: d, match: { tools: ["db/t${index}_*", "x/*"] }, condition: "args.x == '${index}' && args.y.startsWith('a')"`,
  ),
  'patterns that repeat': rules(1000, (index) => `condition: "args.x.matches('(?i)a{50}${index}[a-z]{30}')"`),
  'rules that hide each other': rules(900, () => `match: { tools: [${repeat(20, (tool) => `"*/t${tool}*"`, ', ')}] }`),
};
