import { compileSchema, compileStrictSchema } from '@steward/contracts';
import { InvalidMessageError } from './broker-errors.ts';
import type { AnyContract, Catalogue } from './catalogue.ts';

export type Decoded =
  { readonly kind: 'decoded'; readonly payload: unknown } | { readonly kind: 'invalid'; readonly reason: string };

/** Encodes and decodes payloads by the schema of the contract. */
export interface MessageCodec {
  /**
   * Encodes a payload; rejects a key that is not in the schema.
   * @throws InvalidMessageError
   */
  encode(payload: unknown): Uint8Array;
  /**
   * Decodes a payload; ignores keys of a newer publisher, so that the publisher may be deployed before its consumers.
   */
  decode(body: Uint8Array): Decoded;
}

export function createCodecs(catalogue: Catalogue): ReadonlyMap<string, MessageCodec> {
  return new Map(Object.entries(catalogue).map(([name, contract]) => [name, createCodec(contract)]));
}

function createCodec(contract: AnyContract): MessageCodec {
  const findProblem = compileSchema(contract.schema);
  const findStrictProblem = compileStrictSchema(contract.schema);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  return {
    encode(payload) {
      const problem = findStrictProblem(payload);
      if (problem !== undefined) throw new InvalidMessageError(contract.name, name(problem));
      return new TextEncoder().encode(JSON.stringify(payload));
    },
    decode(body) {
      let payload: unknown;
      try {
        payload = JSON.parse(utf8.decode(body));
      } catch {
        return { kind: 'invalid', reason: 'not valid JSON' };
      }
      const problem = findProblem(payload);
      return problem === undefined
        ? { kind: 'decoded', payload }
        : { kind: 'invalid', reason: `does not match the schema: ${name(problem)}` };
    },
  };
}

/** Returns a problem with its path; for an error of the whole payload, the path is "payload". */
function name(problem: string): string {
  return problem.startsWith(' ') ? `payload${problem}` : problem;
}
