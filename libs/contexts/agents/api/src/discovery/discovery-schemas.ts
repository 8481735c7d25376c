import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { CANDIDATE_STATUSES, OS_FAMILIES } from '@steward/agents';
import { CreateAgentBody } from '../registry/agent-schemas.ts';

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const time = (description: string) => Type.String({ format: 'date-time', description });

const enabled = Type.Boolean({ description: 'Whether reports from workstations are accepted.' });
export const Setting = Type.Object({ enabled }, { additionalProperties: false });
export const SaltAnswer = Type.Object({
  salt: hash(
    'HMAC-SHA256 key for the hashes in reports from workstations. The key belongs to the account and never changes.',
  ),
});

const Facts = {
  agent_kind: CreateAgentBody.properties.agent_kind,
  config_path_hash: hash('Hash of the path of the agent’s configuration, with the home folder written as ~.'),
  mcp_server_count: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Number of tool servers in the agent’s configuration.',
  }),
};
const Version = Type.String({ pattern: '^[0-9A-Za-z.+-]{1,40}$', description: 'Version that the agent reports.' });
const OsFamily = oneOf(OS_FAMILIES, 'Operating system family.');
const Fingerprint = hash('Hash that identifies the workstation.');

export const ReportBody = Type.Object(
  {
    workstation_fingerprint: Fingerprint,
    os_family: OsFamily,
    agents: Type.Array(
      Type.Object(
        {
          ...Facts,
          agent_version: Type.Optional(Version),
          enrolled: Type.Optional(Type.Boolean({ description: 'Whether the agent already uses the service.' })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 100, description: 'Agents found on the workstation.' },
    ),
  },
  { additionalProperties: false },
);
export const ReportAnswer = Type.Object({
  created: Type.Integer({ description: 'Number of new candidates; `agent.discovered` was emitted for each of them.' }),
  updated: Type.Integer({ description: 'Number of known candidates; only their `last_seen_at` changed.' }),
});

const Status = oneOf(CANDIDATE_STATUSES, 'State of the candidate.');
export const CandidateParams = Type.Object({
  candidate_id: Type.String({ format: 'uuid', description: 'The candidate.' }),
});
export const CandidatesQuery = Type.Object(
  { ...PageQuery, status: Type.Optional(Status) },
  { additionalProperties: false },
);
export const MarkBody = Type.Object(
  { status: oneOf(['new', 'ignored'] as const, 'An ignored candidate stays ignored, however often it is reported.') },
  { additionalProperties: false },
);
const { display_name, owner_user_id, tags } = CreateAgentBody.properties;
export const OnboardBody = Type.Object(
  { display_name: Type.Optional(display_name), owner_user_id, tags },
  { additionalProperties: false },
);

export const CandidateAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  workstation_fingerprint: Fingerprint,
  ...Facts,
  agent_version: nullable(Type.String()),
  enrolled: Type.Boolean(),
  os_family: OsFamily,
  status: Status,
  agent_id: nullable(Type.String({ format: 'uuid' }), 'Id of the agent as which the candidate was registered.'),
  first_seen_at: time('When the candidate was first reported.'),
  last_seen_at: time('When the candidate was last reported.'),
});
