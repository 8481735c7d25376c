import type { SourceHeaders } from './source.ts';

export function readHeader(headers: SourceHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === '' ? undefined : text;
}

/** Returns the non-empty string at a path of property names; undefined for any other value. */
export function readText(value: unknown, ...path: readonly string[]): string | undefined {
  let found = value;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Returns the distinct names that are defined. */
export function listNames(...names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Returns an event name with its action, such as `pull_request.opened`; undefined if the name or the action is missing.
 */
export function withAction(event: string | undefined, action: string | undefined): string | undefined {
  return event === undefined || action === undefined ? undefined : `${event}.${action}`;
}
