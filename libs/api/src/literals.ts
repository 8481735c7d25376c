import { Type } from '@sinclair/typebox';

/** Schema for one of these strings. */
export const literals = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    { description },
  );
