import { Type } from '@sinclair/typebox';
import { GRANT_SUBJECT_TYPES } from '@steward/search';

/** Maximum number of grants, which exceeds the default limit of API keys per account (`ACCOUNT_MAX_API_KEYS`). */
const MAX_GRANTS = 1000;

const Grant = Type.Object(
  {
    subject_type: Type.Union(
      GRANT_SUBJECT_TYPES.map((type) => Type.Literal(type)),
      {
        description:
          'Grants are looked up in the order API key, managed agent, account; the first grant that exists applies.',
      },
    ),
    subject_id: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Depending on `subject_type`: id of an API key of the account, the id in `runtime_principal` of a managed agent’s API key, or id of the account.',
    }),
    session_search_account_scope: Type.Boolean({
      description: 'Whether the subject may search the sessions of the account.',
    }),
  },
  { additionalProperties: false },
);

/** The list of grants, read and written in the same form, so that clients can send a response back as a request. */
export const GrantsList = Type.Object(
  { grants: Type.Array(Grant, { maxItems: MAX_GRANTS, description: 'All grants; at most one for each subject.' }) },
  { additionalProperties: false },
);
