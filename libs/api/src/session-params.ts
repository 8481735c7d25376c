import { Type } from '@sinclair/typebox';

/** Path of what belongs to a session. */
export const SessionParams = Type.Object({
  session_id: Type.String({ format: 'uuid', description: 'Id of the runtime session.' }),
});
