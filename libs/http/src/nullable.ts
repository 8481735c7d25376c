import { Type, type TSchema } from '@sinclair/typebox';

/** Returns the schema of a field that is always present; null means that there is no value. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
