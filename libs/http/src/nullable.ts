import { Type, type TSchema } from '@sinclair/typebox';

/** The field is there; null says that there is none. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
