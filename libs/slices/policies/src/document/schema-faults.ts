import { createAjv } from '@steward/contracts';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { PolicyDocumentSchema } from './rules/policy-document.ts';

let validate: ValidateFunction | undefined;

/** Every place where a value is not of the form of a policy. Compiled when first asked: most processes never are. */
export function findSchemaFaults(value: unknown): readonly ErrorObject[] {
  validate ??= createAjv({ allErrors: true }).compile(PolicyDocumentSchema);
  return validate(value) ? [] : (validate.errors ?? []);
}
