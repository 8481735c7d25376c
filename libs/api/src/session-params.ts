import { Type } from '@sinclair/typebox';

/** Path parameters of the resources that belong to a session. */
export const SessionParams = Type.Object({
  session_id: Type.String({ format: 'uuid', description: 'Id of the runtime session.' }),
});
