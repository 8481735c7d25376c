const MAX_CHOICES = 64;

/**
 * Expands `{a,b}` as a shell does, including nested braces, and removes quotes and backslashes. A part that is too long
 * or nested too deeply, or that would give too many results, is left unchanged.
 */
export function expandBraces(text: string): string[] {
  return expand(text, { left: MAX_CHOICES }, 0) ?? [text];
}

function expand(text: string, budget: { left: number }, depth: number): string[] | undefined {
  const open = text.indexOf('{');
  if (open === -1) return [unquote(text)];
  if (depth > 4 || text.length > 1_000) return undefined;
  const found = splitChoices(text, open);
  if (found === undefined) return [unquote(text)];
  const choices = found.choices.flatMap((choice) => expand(choice, budget, depth + 1) ?? [choice]);
  const tails = expand(text.slice(found.end), budget, depth + 1) ?? [text.slice(found.end)];
  budget.left -= choices.length * tails.length;
  if (budget.left < 0) return undefined;
  const head = unquote(text.slice(0, open));
  return choices.flatMap((choice) => tails.map((tail) => head + choice + tail));
}

function splitChoices(text: string, open: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    if ((sign === ',' && depth === 1) || (sign === '}' && depth === 0)) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return choices.length > 1 ? { choices, end: at + 1 } : undefined;
  }
  return undefined;
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)|['"]/gs, '$1');
}
