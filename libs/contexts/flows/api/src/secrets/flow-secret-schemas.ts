import { Type } from '@sinclair/typebox';

/** Minimum length of a value: a shorter one could not be masked in a log without masking ordinary words as well. */
const SHORTEST_VALUE = 6;

export const FlowSecretParams = Type.Object({
  name: Type.String({
    description:
      'Name that consists of letters, digits and underscores and does not begin with a digit; unique in the account.',
  }),
});

export const FlowSecretBody = Type.Object(
  {
    value: Type.String({
      minLength: SHORTEST_VALUE,
      maxLength: 32_768,
      pattern: '^[^\\u0000]*$',
      description: 'Value of the secret; stored encrypted and never returned.',
    }),
  },
  { additionalProperties: false },
);

export const FlowSecretAnswer = Type.Object({
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time', description: 'When the value was last set.' }),
});
