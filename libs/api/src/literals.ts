import { Type } from '@sinclair/typebox';

/** Creates the schema of a value that is one of these strings. */
export const literals = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    { description },
  );
