import { Type, type Static } from '@sinclair/typebox';

/** Bytes of a document as sent. */
export const MAX_DOCUMENT_BYTES = 256 * 1024;
export const MAX_RULES = 1_000;

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
const optionalText = (maxLength: number, description: string) => Type.Optional(text(maxLength, description));
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const names = (description: string) =>
  Type.Optional(Type.Array(text(200, 'A name or an id; * stands for any characters.'), { maxItems: 100, description }));

export const POLICY_ACTIONS = ['allow', 'deny', 'require_approval'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

const MatchSchema = Type.Object(
  {
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\s/]+(/[^\\s/]+)?$' }), {
        maxItems: 100,
        description:
          'Globs over server/tool; * does not cross the slash, other signs of globs ({a,b}, ?, [a-z], **, !) are refused. Tools of hooks and built-in ones have the server "local".',
      }),
    ),
    agent_kinds: names('Kinds of agents.'),
    agent_tags: names('The agent carries one of these tags.'),
    agents: names('Agents by id or display name.'),
    api_keys: names('API keys by id or name.'),
    flows: names('Flows by id or name.'),
  },
  { additionalProperties: false, description: 'What a call has to be for the rule; an empty or missing list: any.' },
);

const RuleSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?$',
      description: 'Unique in the document; stays the same over versions.',
    }),
    description: optionalText(500, 'What a denied caller and the event policy.denied are told.'),
    match: Type.Optional(MatchSchema),
    condition: optionalText(16_384, 'CEL; without one the rule holds for every call it matches.'),
    action: oneOf(POLICY_ACTIONS, 'What happens to the call.'),
    workflow: optionalText(120, 'Name of the approval workflow, of require_approval.'),
    human_only: Type.Optional(Type.Boolean({ description: 'An AI model never decides the request.' })),
  },
  { additionalProperties: false },
);

const WorkflowSchema = Type.Object(
  {
    name: text(120, 'Unique in the account.'),
    approvers: Type.Optional(Type.Array(text(120, 'A username.'), { maxItems: 50, uniqueItems: true })),
    quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    expires_seconds: Type.Optional(Type.Integer({ minimum: 30, maximum: 604_800 })),
  },
  { additionalProperties: false },
);

const DefaultsSchema = Type.Object(
  {
    action: Type.Optional(oneOf(POLICY_ACTIONS, 'Of a call that no rule matches; allow unless set.')),
    workflow: Type.Optional(
      Type.Union([text(120, 'Of require_approval; null: the account’s default workflow.'), Type.Null()]),
    ),
    changed_tools: Type.Optional(oneOf(POLICY_ACTIONS, 'Of a tool that changed since it was accepted.')),
  },
  { additionalProperties: false },
);

/** A policy as its author writes it. */
export const PolicyDocumentSchema = Type.Object(
  {
    version: Type.Literal('1', { description: 'Version of this form.' }),
    metadata: Type.Optional(
      Type.Object(
        { name: optionalText(120, 'Name of the policy.'), description: optionalText(2_000, 'What it is for.') },
        { additionalProperties: false },
      ),
    ),
    approval_workflows: Type.Optional(
      Type.Array(WorkflowSchema, { maxItems: 50, description: 'Created or updated by apply, keyed by name.' }),
    ),
    rules: Type.Optional(Type.Array(RuleSchema, { maxItems: MAX_RULES, description: 'The first match decides.' })),
    defaults: Type.Optional(DefaultsSchema),
  },
  { additionalProperties: false, title: 'Steward policy' },
);

export type PolicyDocument = Static<typeof PolicyDocumentSchema>;
export type PolicyRule = NonNullable<PolicyDocument['rules']>[number];
export type RuleMatch = NonNullable<PolicyRule['match']>;
export type DocumentWorkflow = NonNullable<PolicyDocument['approval_workflows']>[number];

/** In force until the first one is applied: version 0. */
export const DEFAULT_DOCUMENT: PolicyDocument = {
  version: '1',
  rules: [],
  defaults: { action: 'allow', workflow: null, changed_tools: 'require_approval' },
};

/** What stands for what a document leaves out. */
export function readDefaults({ defaults = {} }: PolicyDocument): Required<NonNullable<PolicyDocument['defaults']>> {
  const { action = 'allow', workflow = null, changed_tools = 'require_approval' } = defaults;
  return { action, workflow, changed_tools };
}
