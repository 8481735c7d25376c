import { Type, type TSchema } from '@sinclair/typebox';

/** Kinds of fields used in the data schemas. Every field has a description, because the schemas are published. */
export const uuid = (description: string) => Type.String({ format: 'uuid', description });
export const text = (description: string) => Type.String({ description });
/** Schema of a time, always UTC with `Z` (API-6); `date-time` without a pattern would accept an offset. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', pattern: 'Z$', description });
export const integer = (description: string) => Type.Integer({ description });
export const amount = (description: string) => Type.Number({ description });
export const flag = (description: string) => Type.Boolean({ description });
export const literal = <const T extends string | boolean>(value: T, description: string) =>
  Type.Literal(value, { description });
export const choice = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    { description },
  );
/** Schema of a field that is always present; null means that there is no value. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { description: String(schema.description ?? '') });
