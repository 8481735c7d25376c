import { refuse } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { isObject, type Document } from './read-documents.ts';

/** Reference `${ENV:NAME}` to the value of an environment variable, which is never printed. */
const ENV = /\$\{ENV:([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** Reference `${ID:kind/name}` to the id of the object of another document, or of a user. */
const ID = /^\$\{ID:([a-z-]+\/[^}]+)\}$/;

/** Lists the keys of the documents and users (`user/name`) to which a document refers. */
export function listReferences({ spec }: Pick<Document, 'spec'>): string[] {
  const keys: string[] = [];
  walk(spec, (text) => {
    const [, key] = ID.exec(text) ?? [];
    if (key !== undefined) keys.push(key);
    return text;
  });
  return keys;
}

/** Returns true if a value contains a value from the environment. */
export function holdsSecret(value: unknown): boolean {
  let found = false;
  walk(value, (text) => {
    found ||= new RegExp(ENV.source).test(text);
    return text;
  });
  return found;
}

/**
 * Replaces the names of environment variables with their values.
 * @throws refused naming the document and the field
 */
export function resolveEnvironment(
  { spec, where }: Document,
  env: Readonly<Record<string, string | undefined>>,
  output: Output,
): Record<string, unknown> {
  return walk(spec, (text, path) =>
    text.replaceAll(ENV, (_whole, name: string) => {
      const value = env[name] ?? '';
      if (value === '') throw refuse(`${where}: spec.${path}: the environment variable ${name} is not set.`);
      output.keepSecret(value);
      return value;
    }),
  ) as Record<string, unknown>;
}

/** Replaces references with ids; those for which `findId` returns no id stay unchanged. */
export function resolveIds<T>(value: T, findId: (key: string) => string | undefined): T {
  return walk(value, (text) => {
    const [, key] = ID.exec(text) ?? [];
    return key === undefined ? text : (findId(key) ?? text);
  }) as T;
}

export function buildReference(key: string): string {
  return `\${ID:${key}}`;
}

function walk(value: unknown, change: (text: string, path: string) => string, path = ''): unknown {
  const below = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => walk(item, change, below(index)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, change, below(key))]));
}
