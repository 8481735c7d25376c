import { Type, type TSchema } from '@sinclair/typebox';

/** The field is always present; null means that there is no value. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
