import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox';

/** Returns the data of an event: the fields of its schema, and an example that the compiler checks against them. */
export function defineData<Fields extends TProperties>(data: {
  readonly fields: Fields;
  readonly example: NoInfer<Static<TObject<Fields>>>;
}) {
  return { schema: Type.Object(data.fields), example: data.example };
}
