import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { InvalidMessageError } from './broker-errors.ts';
import type { AnyContract, Catalogue } from './catalogue.ts';

// The package is CommonJS: its default export arrives as a property.
const addFormats = ajvFormats.default;

export type Decoded =
  { readonly kind: 'decoded'; readonly payload: unknown } | { readonly kind: 'invalid'; readonly reason: string };

/** Turns payloads into bytes and back, by the contract's schema. */
export interface MessageCodec {
  /** Strict: a key the schema does not know is refused. @throws InvalidMessageError */
  encode(payload: unknown): Uint8Array;
  /** Tolerant: keys of a newer publisher are ignored, so that it may be rolled out before its consumers. */
  decode(body: Uint8Array): Decoded;
}

export function createCodecs(catalogue: Catalogue): ReadonlyMap<string, MessageCodec> {
  const ajv = new Ajv({ strict: true });
  addFormats(ajv);
  return new Map(Object.entries(catalogue).map(([name, contract]) => [name, createCodec(ajv, contract)]));
}

function createCodec(ajv: Ajv, contract: AnyContract): MessageCodec {
  const accepts = ajv.compile(contract.schema);
  const acceptsStrictly = ajv.compile(forbidUnknownKeys(contract.schema) as object);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  return {
    encode(payload) {
      if (!acceptsStrictly(payload)) throw new InvalidMessageError(contract.name, describeProblem(acceptsStrictly));
      return new TextEncoder().encode(JSON.stringify(payload));
    },
    decode(body) {
      let payload: unknown;
      try {
        payload = JSON.parse(utf8.decode(body));
      } catch {
        return { kind: 'invalid', reason: 'not valid JSON' };
      }
      return accepts(payload)
        ? { kind: 'decoded', payload }
        : { kind: 'invalid', reason: `does not fit the schema: ${describeProblem(accepts)}` };
    },
  };
}

/** Place and rule, never the value: reasons are logged. */
function describeProblem(validate: ValidateFunction): string {
  const problem = validate.errors?.[0];
  if (problem === undefined) return 'is not valid';
  return `${problem.instancePath === '' ? 'payload' : problem.instancePath} ${problem.message ?? 'is not valid'}`;
}

/** The same schema with `additionalProperties: false` in every object that lists its properties. */
function forbidUnknownKeys(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forbidUnknownKeys);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, forbidUnknownKeys(inner)]));
  return copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
