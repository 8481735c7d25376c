import { createAjv } from '@steward/contracts';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { PolicyDocumentSchema } from './rules/policy-document.ts';

let validate: ValidateFunction | undefined;

/**
 * Returns all violations of the policy schema that a value contains. The schema is compiled on first use, since most
 * processes never need it.
 */
export function findSchemaFaults(value: unknown): readonly ErrorObject[] {
  validate ??= createAjv({ allErrors: true }).compile(PolicyDocumentSchema);
  return validate(value) ? [] : (validate.errors ?? []);
}
