import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { POLICY_ACTIONS } from '@steward/policies';

const flag = (description: string) =>
  Type.Optional(
    Type.Union([Type.Literal('1'), Type.Literal('0'), Type.Literal('true'), Type.Literal('false')], { description }),
  );
const message = Type.Optional(
  Type.String({ maxLength: 500, description: 'Reason for the change, shown in the list of versions.' }),
);
const action = (description: string) =>
  Type.Unsafe<(typeof POLICY_ACTIONS)[number]>({ type: 'string', enum: [...POLICY_ACTIONS], description });
const versionNumber = Type.Integer({
  description: 'Number of the version; 0 is the default document, which is in force until a document is applied.',
});
const anyDocument = Type.Unknown({ description: 'The policy document; its schema is at GET /api/v1/policies/schema.' });

export const VersionParams = Type.Object({
  version: Type.String({ pattern: '^[0-9]{1,9}$', description: 'Number of the version.' }),
});
export const NoQuery = Type.Object({}, { additionalProperties: false });
export const ApplyQuery = Type.Object(
  { dry_run: flag('Whether to return what would change, without applying the document.'), message },
  { additionalProperties: false },
);
export const VersionsQuery = Type.Object(PageQuery, { additionalProperties: false });
export const RollbackBody = Type.Object({ message }, { additionalProperties: false });

const Problem = Type.Object(
  {
    line: Type.Integer({ description: 'Line number, from 1.' }),
    column: Type.Integer({ description: 'Column number, from 1.' }),
    path: Type.String({ description: 'JSON Pointer to the position in the document.' }),
    message: Type.String(),
  },
  { title: 'PolicyProblem' },
);
const Problems = Type.Array(Problem);

export const ValidateAnswer = Type.Object({ valid: Type.Boolean(), errors: Problems, warnings: Problems });

const Change = Type.Object({
  kind: Type.Union(['added', 'removed', 'changed', 'moved'].map((kind) => Type.Literal(kind))),
  path: Type.String({ description: 'Path of the change, with rule ids, for example rules/no-drop/action.' }),
  before: Type.Unknown(),
  after: Type.Unknown(),
});
export const DiffAnswer = Type.Object({ version: versionNumber, changes: Type.Array(Change), warnings: Problems });

const versionFields = {
  version: versionNumber,
  format: Type.Union([Type.Literal('yaml'), Type.Literal('json')], { description: 'Format of the document.' }),
  message: nullable(Type.String(), 'Reason for the change.'),
  rolled_back_to: nullable(Type.Integer(), 'The older version whose content was applied again.'),
  rules: Type.Integer({ description: 'Number of rules.' }),
  created_by: nullable(Type.String({ format: 'uuid' }), 'The user who applied the version.'),
  created_at: nullable(
    Type.String({ format: 'date-time' }),
    'Time when the version was applied; null for the default document.',
  ),
};
export const VersionAnswer = Type.Object(versionFields);
export const PolicyAnswer = Type.Object({
  ...versionFields,
  document: anyDocument,
  text: Type.String({ description: 'Text of the document as it was applied, byte for byte.' }),
});
export const AppliedAnswer = Type.Object({
  ...versionFields,
  changed: Type.Boolean({
    description:
      'True if a new version was created, or would have been created without the dry run; false if the document is identical to the one in force.',
  }),
  dry_run: Type.Boolean({ description: 'Whether this was a dry run; if so, `version` is the version in force.' }),
  changes: Type.Array(Change, { description: 'Changes compared with the previous version.' }),
  warnings: Problems,
});
export const TestBody = Type.Object(
  {
    tool_name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tool on its server.' }),
    server: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Server of the tool; default "local".' }),
    ),
    arguments: Type.Optional(
      Type.Unknown({ description: 'Arguments of the call, as the tool would receive them; default {}.' }),
    ),
    agent_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Id of an agent of the account; the call is evaluated as a call of this agent.',
      }),
    ),
    agent: Type.Optional(
      Type.Object(
        {
          kind: Type.Optional(Type.String({ maxLength: 64 })),
          name: Type.Optional(Type.String({ maxLength: 120 })),
          tags: Type.Optional(Type.Array(Type.String({ maxLength: 120 }), { maxItems: 100 })),
        },
        { additionalProperties: false, description: 'Attributes of an agent that does not have to exist.' },
      ),
    ),
    document: Type.Optional(
      Type.Unknown({ description: 'Policy document to use instead of the one in force, as a string or as an object.' }),
    ),
  },
  { additionalProperties: false },
);

const Rule = Type.Object({ version: versionNumber, id: Type.String(), description: Type.String() });
export const TestAnswer = Type.Object({
  decision: action('The decision on the call.'),
  rule: nullable(Rule, 'The rule that decides; null if no rule decides and a default applies.'),
  rule_description: Type.String({ description: 'Explanation of the rule or default.' }),
  condition_matched: nullable(Type.String(), 'Text of the rule’s condition; null if there is no rule or condition.'),
  condition_error: nullable(
    Type.String(),
    'Error that prevented the evaluation of the condition; the condition therefore counted as true.',
  ),
  workflow: nullable(
    Type.String(),
    'Approval workflow that the policy names. Null if the policy names none (the default workflow then applies) or if no approval is required.',
  ),
  human_only: Type.Boolean(),
  policy_version: versionNumber,
  trace: Type.Array(
    Type.Object({
      id: Type.String(),
      description: Type.String(),
      matched: Type.Boolean(),
      condition_value: nullable(
        Type.Boolean(),
        'Result of the condition; null if the condition was not evaluated or its evaluation failed.',
      ),
      error: nullable(Type.String(), 'Why the condition failed.'),
    }),
  ),
});
