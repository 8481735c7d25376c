/** A key press, with the relevant properties of `KeyboardEvent`. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the key is typed into a field or a select, where letters are input. */
  readonly isTyping: boolean;
}

/** Maximum time between the two keys of a sequence. */
const TIMEOUT_MS = 1500;

/**
 * Creates a function that reads key presses as the names of shortcuts: `Mod+k`, `?`, `g s`. Keys without Ctrl or Meta
 * are recognized only outside fields, and the second key of a sequence only soon after the first.
 */
export function createKeyReader(names: readonly string[]): (press: Press, nowMs: number) => string | undefined {
  let first: { readonly key: string; readonly atMs: number } | undefined;
  return (press, nowMs) => {
    const before = first;
    first = undefined;
    if (press.altKey) return undefined;
    if (press.ctrlKey || press.metaKey)
      return find(`Mod+${press.key.length === 1 ? press.key.toLowerCase() : press.key}`);
    if (press.isTyping) return undefined;
    if (before !== undefined && nowMs - before.atMs <= TIMEOUT_MS) {
      const sequence = find(`${before.key} ${press.key}`);
      if (sequence !== undefined) return sequence;
    }
    if (names.some((name) => name.startsWith(`${press.key} `))) first = { key: press.key, atMs: nowMs };
    return find(press.key);
  };

  function find(name: string): string | undefined {
    return names.includes(name) ? name : undefined;
  }
}
