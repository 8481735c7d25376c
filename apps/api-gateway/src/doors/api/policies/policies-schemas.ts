import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { POLICY_ACTIONS } from '@steward/slice-policies';

const flag = (description: string) =>
  Type.Optional(
    Type.Union([Type.Literal('1'), Type.Literal('0'), Type.Literal('true'), Type.Literal('false')], { description }),
  );
const message = Type.Optional(Type.String({ maxLength: 500, description: 'Why, for the list of versions.' }));
const action = (description: string) =>
  Type.Unsafe<(typeof POLICY_ACTIONS)[number]>({ type: 'string', enum: [...POLICY_ACTIONS], description });
const versionNumber = Type.Integer({ description: '0 is the default document, in force until one is applied.' });
const anyDocument = Type.Unknown({ description: 'What the document says; GET /api/v1/policies/schema has its form.' });

export const VersionParams = Type.Object({
  version: Type.String({ pattern: '^[0-9]{1,9}$', description: 'Number of the version.' }),
});
export const NoQuery = Type.Object({}, { additionalProperties: false });
export const ApplyQuery = Type.Object(
  { dry_run: flag('Say what would change, and change nothing.'), message },
  { additionalProperties: false },
);
export const VersionsQuery = Type.Object(PageQuery, { additionalProperties: false });
export const RollbackBody = Type.Object({ message }, { additionalProperties: false });

const Problem = Type.Object({
  line: Type.Integer({ description: 'From 1.' }),
  column: Type.Integer({ description: 'From 1.' }),
  path: Type.String({ description: 'JSON Pointer.' }),
  message: Type.String(),
});
const Problems = Type.Array(Problem);

export const ValidateAnswer = Type.Object({ valid: Type.Boolean(), errors: Problems, warnings: Problems });

const Change = Type.Object({
  kind: Type.Union(['added', 'removed', 'changed', 'moved'].map((kind) => Type.Literal(kind))),
  path: Type.String({ description: 'By ids: rules/no-drop/action.' }),
  before: Type.Unknown(),
  after: Type.Unknown(),
});
export const DiffAnswer = Type.Object({ version: versionNumber, changes: Type.Array(Change), warnings: Problems });

const versionFields = {
  version: versionNumber,
  format: Type.Union([Type.Literal('yaml'), Type.Literal('json')], { description: 'What it was written in.' }),
  message: nullable(Type.String(), 'Why it was applied.'),
  rolled_back_to: nullable(Type.Integer(), 'The version whose content it has again.'),
  rules: Type.Integer({ description: 'How many it has.' }),
  created_by: nullable(Type.String({ format: 'uuid' }), 'The user.'),
  created_at: nullable(Type.String({ format: 'date-time' }), 'Null of the default document.'),
};
export const VersionAnswer = Type.Object(versionFields);
export const PolicyAnswer = Type.Object({
  ...versionFields,
  document: anyDocument,
  text: Type.String({ description: 'As it was applied, byte for byte.' }),
});
export const AppliedAnswer = Type.Object({
  ...versionFields,
  changed: Type.Boolean({ description: 'False where the text was in force already.' }),
  dry_run: Type.Boolean({ description: 'Nothing was applied: the version is the one in force.' }),
  changes: Type.Array(Change, { description: 'Against the version that was in force before.' }),
  warnings: Problems,
});
export const TestBody = Type.Object(
  {
    tool_name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tool on its server.' }),
    server: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Its server; "local" unless set.' }),
    ),
    arguments: Type.Optional(Type.Unknown({ description: 'As the tool would get them; {} unless set.' })),
    agent_id: Type.Optional(Type.String({ format: 'uuid', description: 'An agent of the account.' })),
    agent: Type.Optional(
      Type.Object(
        {
          kind: Type.Optional(Type.String({ maxLength: 64 })),
          name: Type.Optional(Type.String({ maxLength: 120 })),
          tags: Type.Optional(Type.Array(Type.String({ maxLength: 120 }), { maxItems: 100 })),
        },
        { additionalProperties: false, description: 'An agent that need not exist.' },
      ),
    ),
    document: Type.Optional(
      Type.Unknown({ description: 'Another document than the one in force: its text, or what it says.' }),
    ),
  },
  { additionalProperties: false },
);

const Rule = Type.Object({ version: versionNumber, id: Type.String(), description: Type.String() });
export const TestAnswer = Type.Object({
  decision: action('What would happen to the call.'),
  rule: nullable(Rule, 'Null where a default decides.'),
  rule_description: Type.String({ description: 'In words, of a default too.' }),
  condition_matched: nullable(Type.String(), 'Text of the condition that held.'),
  condition_error: nullable(Type.String(), 'Why it counted as holding although it failed.'),
  workflow: nullable(Type.String(), 'Who is asked; null: the default workflow.'),
  human_only: Type.Boolean(),
  policy_version: versionNumber,
  trace: Type.Array(
    Type.Object({
      id: Type.String(),
      description: Type.String(),
      matched: Type.Boolean(),
      condition_value: nullable(Type.Boolean(), 'Null where it was not evaluated or failed.'),
      error: nullable(Type.String(), 'Why the condition failed.'),
    }),
  ),
});
