import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { LoginState } from './oauth/oauth-schemas.ts';

const id = Type.String({ format: 'uuid', description: 'The tool server.' });
const Transport = Type.Unsafe<'streamable_http' | 'stdio'>({
  type: 'string',
  enum: ['streamable_http', 'stdio'],
  description: 'Transport: HTTP, or a program that a flow worker runs.',
});
const Command = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 1000, description: 'Name or path of the program in the sandbox.' }),
    args: Type.Optional(Type.Array(Type.String({ maxLength: 8000 }), { maxItems: 50 })),
    env: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Environment variables of the program, stored encrypted and never returned.',
      }),
    ),
    network_allow: Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), {
        maxItems: 50,
        description: 'Hosts that the program may reach, in the format of a flow’s network_allow.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'ToolServerCommand',
    description:
      'Command of a server with the transport stdio, given instead of `url`; an update replaces the whole object.',
  },
);
const CommandAnswer = nullable(
  Type.Object({
    command: Type.String(),
    args: Type.Array(Type.String()),
    env_names: Type.Array(Type.String(), { description: 'Names of the program’s environment variables.' }),
    network_allow: Type.Array(Type.String()),
  }),
  'Settings of the program, for callers who may change the server; null otherwise.',
);
const Name = Type.String({
  maxLength: 500,
  description: 'Name of the server, part of the names of its tools; unique in the account.',
});
const Url = Type.String({ description: 'https URL of the server; a query is allowed.' });

const Details = {
  command: Type.Optional(Command),
  transport: Type.Optional(Transport),
  headers: Type.Optional(
    nullable(
      Type.Record(Type.String(), Type.String()),
      'Headers sent with each request; stored encrypted and never returned. An empty object or null removes them.',
    ),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'False: the tools of the server are not offered.' })),
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
  url: Type.String({ description: 'URL of the server; for a program, `stdio:` followed by its name or path.' }),
  command: CommandAnswer,
  has_headers: Type.Boolean({ description: 'Whether headers are stored.' }),
  enabled: Type.Boolean(),
  status: Type.Unsafe<'unknown' | 'ok' | 'failing'>({
    type: 'string',
    enum: ['unknown', 'ok', 'failing'],
    description: 'Result of the last attempt to list the tools of the server.',
  }),
  last_error: nullable(Type.String(), 'Why the tools could not be listed, or which of them were omitted.'),
  oauth: LoginState,
  tools_count: Type.Integer({ description: 'Number of tools of the server.' }),
  tools_seen_at: nullable(Type.String({ format: 'date-time' }), 'When the tools were last listed.'),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

const ToolName = Type.String({ maxLength: 128, description: 'Name of the tool on its server.' });
const Definition = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Definition of the tool as its server lists it.',
});

export const ToolParams = Type.Object({ mcp_server_id: id, tool_name: ToolName });

export const AcceptToolBody = Type.Object(
  {
    definition_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'Hash of the definition that was reviewed. If the tool has changed since the review, the response is 409.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ToolAnswer = Type.Object({
  name: ToolName,
  definition: Definition,
  definition_hash: Type.String({ description: 'SHA-256 hash of the definition.' }),
  changed: Type.Boolean({ description: 'Whether the definition has changed since it was accepted.' }),
  accepted_definition: nullable(Definition, 'The accepted definition, if the tool has changed.'),
  first_seen_at: Type.String({ format: 'date-time' }),
  changed_at: Type.String({ format: 'date-time' }),
});
