import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { CANDIDATE_STATUSES, OS_FAMILIES } from '@steward/slice-agents';
import { CreateAgentBody } from '../registry/agent-schemas.ts';

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const time = (description: string) => Type.String({ format: 'date-time', description });

const enabled = Type.Boolean({ description: 'Reports of workstations are taken.' });
export const Setting = Type.Object({ enabled }, { additionalProperties: false });
export const SaltAnswer = Type.Object({
  salt: hash('Key of the HMAC-SHA256 of all hashes; of the account, for ever.'),
});

const Facts = {
  agent_kind: CreateAgentBody.properties.agent_kind,
  config_path_hash: hash('Of the path of its configuration, the home folder written as ~.'),
  mcp_server_count: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Tool servers it is set up with.' }),
};
const Version = Type.String({ pattern: '^[0-9A-Za-z.+-]{1,40}$', description: 'What it says of itself.' });
const OsFamily = oneOf(OS_FAMILIES, 'Family of the operating system.');
const Fingerprint = hash('Of the workstation.');

export const ReportBody = Type.Object(
  {
    workstation_fingerprint: Fingerprint,
    os_family: OsFamily,
    agents: Type.Array(
      Type.Object(
        {
          ...Facts,
          agent_version: Type.Optional(Version),
          enrolled: Type.Optional(Type.Boolean({ description: 'It is pointed at the service already.' })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 100, description: 'What was found.' },
    ),
  },
  { additionalProperties: false },
);
export const ReportAnswer = Type.Object({
  created: Type.Integer({ description: 'Not known before; each fired `agent.discovered`.' }),
  updated: Type.Integer({ description: 'Known: only `last_seen_at` moved.' }),
});

const Status = oneOf(CANDIDATE_STATUSES, 'What people made of it.');
export const CandidateParams = Type.Object({
  candidate_id: Type.String({ format: 'uuid', description: 'The candidate.' }),
});
export const CandidatesQuery = Type.Object(
  { ...PageQuery, status: Type.Optional(Status) },
  { additionalProperties: false },
);
export const MarkBody = Type.Object(
  { status: oneOf(['new', 'ignored'] as const, 'Ignored it stays ignored, however often it is reported.') },
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
  agent_id: nullable(Type.String({ format: 'uuid' }), 'The agent it was onboarded as.'),
  first_seen_at: time('When it was reported first.'),
  last_seen_at: time('When it was reported last.'),
});
