/** Returns the line of the rule with this id in a YAML or JSON document; undefined if it is not found. */
export function findRule(text: string, id: string): number | undefined {
  const isOfRule = new RegExp(`(?:^|[\\s{,-])["']?id["']?\\s*:\\s*["']?${id}["']?\\s*(?:[,}#]|$)`);
  const index = text.split('\n').findIndex((line) => isOfRule.test(line));
  return index < 0 ? undefined : index + 1;
}
