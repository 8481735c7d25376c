import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { LoginState } from './oauth/oauth-schemas.ts';

const id = Type.String({ format: 'uuid', description: 'The tool server.' });
const Transport = Type.Unsafe<'streamable_http' | 'stdio'>({
  type: 'string',
  enum: ['streamable_http', 'stdio'],
  description: 'How it is spoken to: over the web, or as a program that a flow worker runs.',
});
const Command = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 1000, description: 'The program, as it is found in the sandbox.' }),
    args: Type.Optional(Type.Array(Type.String({ maxLength: 8000 }), { maxItems: 50 })),
    env: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Variables of the program, stored encrypted and never returned.',
      }),
    ),
    network_allow: Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), {
        maxItems: 50,
        description: 'What it may reach, as that of a flow.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Of the transport stdio, in place of `url`; a save replaces all of it.' },
);
const CommandAnswer = nullable(
  Type.Object({
    command: Type.String(),
    args: Type.Array(Type.String()),
    env_names: Type.Array(Type.String(), { description: 'Names of its variables.' }),
    network_allow: Type.Array(Type.String()),
  }),
  'Of a program, for those who may change it; null otherwise.',
);
const Name = Type.String({ maxLength: 500, description: 'What its tools are called by; unique in the account.' });
const Url = Type.String({ description: 'Its address, https, with a query where it wants one.' });

const Details = {
  command: Type.Optional(Command),
  transport: Type.Optional(Transport),
  headers: Type.Optional(
    nullable(
      Type.Record(Type.String(), Type.String()),
      'Sent with each request, stored encrypted and never returned; an empty object or null forgets them.',
    ),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'False: its tools are not offered.' })),
};

export const CreateServerBody = Type.Object(
  { name: Name, url: Type.Optional(Url), ...Details },
  { additionalProperties: false },
);

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
  url: Type.String({ description: 'Of a program `stdio:` and its name.' }),
  command: CommandAnswer,
  has_headers: Type.Boolean({ description: 'Whether headers are stored.' }),
  enabled: Type.Boolean(),
  status: Type.Unsafe<'unknown' | 'ok' | 'failing'>({
    type: 'string',
    enum: ['unknown', 'ok', 'failing'],
    description: 'How it was when it was asked for its tools last.',
  }),
  last_error: nullable(Type.String(), 'Why it could not be asked, or what of its list was left out.'),
  oauth: LoginState,
  tools_count: Type.Integer({ description: 'Tools it offers.' }),
  tools_seen_at: nullable(Type.String({ format: 'date-time' }), 'When it listed them last.'),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

const ToolName = Type.String({ maxLength: 128, description: 'The tool, as its server calls it.' });
const Definition = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'As its server describes it.',
});

export const ToolParams = Type.Object({ mcp_server_id: id, tool_name: ToolName });

export const AcceptToolBody = Type.Object(
  {
    definition_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'Of what was looked at: a tool that has changed again is not accepted (409).',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ToolAnswer = Type.Object({
  name: ToolName,
  definition: Definition,
  definition_hash: Type.String({ description: 'SHA-256 of the definition.' }),
  changed: Type.Boolean({ description: 'Described otherwise than when it was accepted.' }),
  accepted_definition: nullable(Definition, 'What was accepted, where the tool has changed.'),
  first_seen_at: Type.String({ format: 'date-time' }),
  changed_at: Type.String({ format: 'date-time' }),
});
