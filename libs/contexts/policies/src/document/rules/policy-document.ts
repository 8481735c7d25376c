import { Type, type Static } from '@sinclair/typebox';

/** Maximum size of a document, as sent. */
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
          'Patterns for server/tool; * does not match the slash, and other wildcards ({a,b}, ?, [a-z], **, !) are refused. Hook tools and built-in tools belong to the server "local".',
      }),
    ),
    agent_kinds: names('Kinds of agents.'),
    agent_tags: names('Tags of agents; one match is enough.'),
    agents: names('Agents by id or display name.'),
    api_keys: names('API keys by id or name.'),
    flows: names('Flows by id or name.'),
  },
  { additionalProperties: false, description: 'Conditions on the call; an empty or missing list matches everything.' },
);

const RuleSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?$',
      description: 'Id of the rule, unique in the document. It should stay the same across versions.',
    }),
    description: optionalText(500, 'Explanation for denied callers and for the event policy.denied.'),
    match: Type.Optional(MatchSchema),
    condition: optionalText(
      16_384,
      'Condition in CEL; if there is none, the rule applies to every call that it matches.',
    ),
    action: oneOf(POLICY_ACTIONS, 'Action for matching calls.'),
    workflow: optionalText(120, 'Name of the approval workflow, for require_approval.'),
    human_only: Type.Optional(
      Type.Boolean({ description: 'Whether only people may decide on the request, never an AI model.' }),
    ),
  },
  { additionalProperties: false },
);

const WorkflowSchema = Type.Object(
  {
    name: text(120, 'Name of the workflow, unique in the account.'),
    approvers: Type.Optional(Type.Array(text(120, 'A username.'), { maxItems: 50, uniqueItems: true })),
    quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    expires_seconds: Type.Optional(Type.Integer({ minimum: 30, maximum: 604_800 })),
  },
  { additionalProperties: false },
);

const DefaultsSchema = Type.Object(
  {
    action: Type.Optional(oneOf(POLICY_ACTIONS, 'Action for calls that no rule matches; default allow.')),
    workflow: Type.Optional(
      Type.Union([
        text(120, 'Default workflow for require_approval; null: the account’s default workflow.'),
        Type.Null(),
      ]),
    ),
    changed_tools: Type.Optional(oneOf(POLICY_ACTIONS, 'Action for tools that changed since they were accepted.')),
  },
  { additionalProperties: false },
);

/** A policy as written by its author. */
export const PolicyDocumentSchema = Type.Object(
  {
    version: Type.Literal('1', { description: 'Version of the document format.' }),
    metadata: Type.Optional(
      Type.Object(
        { name: optionalText(120, 'Name of the policy.'), description: optionalText(2_000, 'Purpose of the policy.') },
        { additionalProperties: false },
      ),
    ),
    approval_workflows: Type.Optional(
      Type.Array(WorkflowSchema, {
        maxItems: 50,
        description: 'Workflows to create or update with the policy, by name.',
      }),
    ),
    rules: Type.Optional(
      Type.Array(RuleSchema, { maxItems: MAX_RULES, description: 'Rules in order; the first match decides.' }),
    ),
    defaults: Type.Optional(DefaultsSchema),
  },
  { additionalProperties: false, title: 'Steward policy' },
);

export type PolicyDocument = Static<typeof PolicyDocumentSchema>;
export type PolicyRule = NonNullable<PolicyDocument['rules']>[number];
export type RuleMatch = NonNullable<PolicyRule['match']>;
export type DocumentWorkflow = NonNullable<PolicyDocument['approval_workflows']>[number];

/** Document that is in effect until the first policy is applied: version 0. */
export const DEFAULT_DOCUMENT: PolicyDocument = {
  version: '1',
  rules: [],
  defaults: { action: 'allow', workflow: null, changed_tools: 'require_approval' },
};

/** Returns the `defaults` of a document, completed with the values that apply if a field is omitted. */
export function readDefaults({ defaults = {} }: PolicyDocument): Required<NonNullable<PolicyDocument['defaults']>> {
  const { action = 'allow', workflow = null, changed_tools = 'require_approval' } = defaults;
  return { action, workflow, changed_tools };
}
