/** Key in `_meta` that contains the other names of a tool, if the tool is offered under a different name (TOOL-15). */
const ALSO_NAMED = 'steward/also_named';

interface NamedTool {
  readonly name: string;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns true if an entry of `allowed_tools` matches one of the names of a tool: an entry that ends with `*` matches
 * every name with this prefix; any other entry matches only the identical name.
 */
export function matchesAllowed(entry: string, { name, _meta: meta }: NamedTool): boolean {
  const others = meta?.[ALSO_NAMED];
  const names: readonly unknown[] = [name, ...(Array.isArray(others) ? (others as unknown[]) : [])];
  return names.some((each) => (entry.endsWith('*') ? String(each).startsWith(entry.slice(0, -1)) : entry === each));
}
