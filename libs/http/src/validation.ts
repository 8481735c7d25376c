import type { TSchema } from '@sinclair/typebox';
import { AppError, createAjv } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/**
 * Returns whether a string is an RFC 3339 timestamp with offset that denotes a real instant between the years 1 and
 * 9999.
 */
function isTimestamp(text: string): boolean {
  const shape = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
  if (!shape.test(text) || text.startsWith('0000')) return false;
  const millis = Date.parse(text);
  // The day is checked separately, since Date.parse accepts 30 February and converts it to a day in March.
  const day = Number(text.slice(8, 10));
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return (
    !Number.isNaN(millis) &&
    day >= 1 &&
    day <= daysInMonth &&
    millis > -62_135_596_800_000 &&
    millis < 253_402_300_800_000
  );
}

function createRequestAjv(isText: boolean): Ajv2020 {
  const ajv = createAjv({
    // A repeatable parameter that occurs once is converted to a list with one element.
    coerceTypes: isText ? 'array' : false,
    useDefaults: true,
    // With `strictNumbers`, the string "1e999" is coerced to Infinity, and minimum and maximum are then not checked.
    strictNumbers: !isText,
  });
  ajv.addFormat('date-time', isTimestamp);
  // A stricter format replaces `uuid`, since the standard one also accepts `urn:uuid:...`, which Postgres does not.
  ajv.addFormat('uuid', isUuid);
  return ajv;
}

/** Checks a value against a schema; returns it (with defaults filled in) or throws `invalid_request` naming the field. */
export type Validate = (value: unknown) => unknown;

export const compileBodyValidation = createCompiler(false);

/**
 * Compiles a check of query strings and path parameters: a string is coerced to the schema's type, or to a list of one
 * element if that type is a list.
 */
export const compileTextValidation = createCompiler(true);

/**
 * Returns a function that creates checks. Schemas are compiled on first use, so that startup is not delayed by the
 * schemas of hundreds of routes.
 */
function createCompiler(isText: boolean): (schema: TSchema) => Validate {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      ajv ??= createRequestAjv(isText);
      validate ??= ajv.compile(schema);
      return check(validate, value);
    };
  };
}

function check(validate: ValidateFunction, value: unknown): unknown {
  if (validate(value)) return value;
  const errors = validate.errors ?? [];
  const error = errors[0];
  if (error === undefined) throw new AppError('invalid_request');
  const field = nameField(error);
  throw new AppError('invalid_request', {
    message: describe(error, field, listChoices(errors, error)),
    ...(field === '' ? {} : { detail: { field } }),
  });
}

/** Returns the name of the field with an error, including the name of a missing or unknown key. */
function nameField(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params = error.params as { missingProperty?: string; additionalProperty?: string; propertyName?: string };
  const key = params.missingProperty ?? params.additionalProperty ?? params.propertyName;
  return (key === undefined ? path : [...path, key]).join('.').slice(0, 200);
}

function describe(error: ErrorObject, field: string, choices: readonly unknown[]): string {
  const where = field === '' ? 'The value' : `"${field}"`;
  switch (error.keyword) {
    case 'required':
      return `${where} is required.`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${where} is not a known field of this request.`;
    case 'enum':
    case 'const':
    case 'anyOf':
      return `${where} ${choices.length > 0 ? `must be one of: ${choices.map(String).join(', ')}` : 'has a value that is not accepted'}.`;
    default:
      return `${where} ${error.message ?? 'is not valid'}.`;
  }
}

/**
 * Returns the allowed values at a path. The validation of a union of literals reports an error for each literal and
 * then one for the whole union; all errors at the path contain allowed values.
 */
function listChoices(errors: readonly ErrorObject[], first: ErrorObject): unknown[] {
  return errors
    .filter((error) => error.instancePath === first.instancePath)
    .flatMap((error) => {
      const { allowedValues, allowedValue } = error.params as { allowedValues?: unknown[]; allowedValue?: unknown };
      return allowedValues ?? (allowedValue === undefined ? [] : [allowedValue]);
    });
}
