import type { TSchema } from '@sinclair/typebox';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { buildStrictSchema } from '../events/strict-schema.ts';
import { createAjv } from './create-ajv.ts';

/** Returns a description of the error in a value: the path and the rule, never the value; undefined if it is valid. */
export type FindProblem = (value: unknown) => string | undefined;

let ajv: Ajv2020 | undefined;

/**
 * Compiles a schema for reading data: keys added by a newer writer are ignored, so that the writer may be deployed
 * before its readers. It is compiled on first use, because a process uses only a few of the schemas.
 */
export function compileSchema(schema: object): FindProblem {
  let validate: ValidateFunction | undefined;
  return (value) => {
    ajv ??= createAjv();
    validate ??= ajv.compile(schema);
    if (validate(value)) return undefined;
    const problem = validate.errors?.[0];
    return `${problem?.instancePath ?? ''} ${problem?.message ?? 'does not match its schema'}`;
  };
}

/** Compiles a schema for writing data: a key that the schema does not define is rejected, at any depth. */
export function compileStrictSchema(schema: object): FindProblem {
  return compileSchema(buildStrictSchema(schema as TSchema));
}
