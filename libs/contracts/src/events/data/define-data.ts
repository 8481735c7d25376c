import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox';

/**
 * Returns the definition of an event's data: the schema with these fields, and an example, which the compiler checks
 * against them.
 */
export function defineData<Fields extends TProperties>(data: {
  readonly fields: Fields;
  readonly example: NoInfer<Static<TObject<Fields>>>;
}) {
  return { schema: Type.Object(data.fields), example: data.example };
}
