/** Whether an entry of `allowed_tools` means a tool: its name, or with `*` at the end every one that begins so. */
export function matchesAllowed(entry: string, name: string): boolean {
  return entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name;
}
