import type { ApiDocument, Operation } from '../credentials/read-operations.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Text that a route stores, and the schema of a body that contains only this field and the required ones. */
export interface TextField {
  readonly operation: Operation;
  /** Names of the members in its path; `[]` is an entry of an array. */
  readonly path: readonly string[];
  schemaWith(text: string): Schema;
}

/**
 * Lists every free text field of every body: fields without enumerated values, without a format, and without a pattern
 * that excludes markup characters.
 */
export function listTextFields({ operations }: ApiDocument, sample: string): TextField[] {
  return operations.flatMap((operation) =>
    listPaths(operation.body?.schema ?? {}, sample).map((path) => ({
      operation,
      path,
      schemaWith: (text) => require(operation.body?.schema ?? {}, path, text),
    })),
  );
}

function listPaths(schema: Schema, sample: string): string[][] {
  if (schema.type === 'string') return takes(schema, sample) ? [[]] : [];
  const inside = Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) =>
    listPaths(property, sample).map((path) => [name, ...path]),
  );
  const entries = [schema.items ?? []]
    .flat()
    .flatMap((item) => listPaths(item as Schema, sample).map((path) => ['[]', ...path]));
  const choices = ((schema.anyOf ?? []) as Schema[]).flatMap((choice) => listPaths(choice, sample));
  return [...inside, ...entries, ...choices];
}

function takes({ enum: values, const: only, format, pattern, maxLength }: Schema, sample: string): boolean {
  if (values !== undefined || only !== undefined || format !== undefined) return false;
  if (typeof maxLength === 'number' && maxLength < sample.length) return false;
  return pattern === undefined || new RegExp(pattern as string, 'u').test(sample);
}

function require(schema: Schema, path: readonly string[], text: string): Schema {
  const [name, ...rest] = path;
  const choices = (schema.anyOf ?? []) as Schema[];
  const choice = choices.find((one) => one.type !== 'null');
  if (choice !== undefined) return require(choice, path, text);
  if (name === undefined) return { const: text };
  if (name === '[]')
    return { ...schema, minItems: 1, maxItems: 1, items: require((schema.items ?? {}) as Schema, rest, text) };
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return {
    ...schema,
    properties: { ...properties, [name]: require(properties[name] ?? {}, rest, text) },
    required: [...new Set([...((schema.required ?? []) as string[]), name])],
  };
}
