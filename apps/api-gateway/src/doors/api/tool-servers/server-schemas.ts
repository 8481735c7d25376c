import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';

const id = Type.String({ format: 'uuid', description: 'The tool server.' });
const Transport = Type.Unsafe<'streamable_http'>({
  type: 'string',
  enum: ['streamable_http'],
  description: 'How it is spoken to.',
});
const Name = Type.String({ maxLength: 500, description: 'What its tools are called by; unique in the account.' });
const Url = Type.String({ description: 'Its address, https.' });

const Details = {
  transport: Type.Optional(Transport),
  headers: Type.Optional(
    nullable(
      Type.Record(Type.String(), Type.String()),
      'Sent with each request, stored encrypted and never returned; an empty object or null forgets them.',
    ),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'False: its tools are not offered.' })),
};

export const CreateServerBody = Type.Object({ name: Name, url: Url, ...Details }, { additionalProperties: false });

export const UpdateServerBody = Type.Object(
  { name: Type.Optional(Name), url: Type.Optional(Url), ...Details },
  { additionalProperties: false },
);

export const ServerParams = Type.Object({ mcp_server_id: id });

export const ServerQuery = Type.Object({ ...PageQuery }, { additionalProperties: false });

export const ServerAnswer = Type.Object({
  id,
  name: Type.String(),
  transport: Transport,
  url: Type.String(),
  has_headers: Type.Boolean({ description: 'Whether headers are stored.' }),
  enabled: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
