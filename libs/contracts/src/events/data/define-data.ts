import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox';

/** The data of an event: what its schema is made of, and an example of it that the compiler holds against that. */
export function defineData<Fields extends TProperties>(data: {
  readonly fields: Fields;
  readonly example: NoInfer<Static<TObject<Fields>>>;
}) {
  return { schema: Type.Object(data.fields), example: data.example };
}
