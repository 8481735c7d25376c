/** In `_meta` of a tool that is offered by another name than its own: what else it is called by (TOOL-15). */
const ALSO_NAMED = 'steward/also_named';

interface NamedTool {
  readonly name: string;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether an entry of `allowed_tools` means a tool: a name of it, or with `*` at the end every one that begins so. */
export function matchesAllowed(entry: string, { name, _meta: meta }: NamedTool): boolean {
  const others = meta?.[ALSO_NAMED];
  const names: readonly unknown[] = [name, ...(Array.isArray(others) ? (others as unknown[]) : [])];
  return names.some((each) => (entry.endsWith('*') ? String(each).startsWith(entry.slice(0, -1)) : entry === each));
}
