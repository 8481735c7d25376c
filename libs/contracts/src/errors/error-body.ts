import { Type, type Static } from '@sinclair/typebox';

/**
 * The body of every error response of the API (ERR-1, ERR-2). Additional keys inside `detail` name the field, limit or
 * permission concerned.
 */
export const ErrorBodySchema = Type.Object(
  {
    detail: Type.Object(
      {
        code: Type.String({ description: 'Stable machine-readable code.' }),
        message: Type.String({ description: 'Human-readable message that says what to do.' }),
        field: Type.Optional(Type.String({ description: 'Path of the offending field.' })),
        permission: Type.Optional(Type.String({ description: 'The permission that is missing.' })),
        limit: Type.Optional(Type.Number()),
        actual: Type.Optional(Type.Number()),
        overage: Type.Optional(Type.Number()),
      },
      { additionalProperties: true },
    ),
    request_id: Type.String(),
  },
  { $id: 'ErrorBody', additionalProperties: false },
);

export type ErrorBody = Static<typeof ErrorBodySchema>;
