import { v5, v7, validate } from 'uuid';

/** Namespace of deterministic ids: the same natural key gives the same id on every deployment. Never change it. */
const STEWARD_NAMESPACE = '6f1d6f0e-52c1-5f0b-9d0a-7a1c1f7f5f64';

/** Time-ordered row id (UUID v7): new rows land at the right edge of every index. */
export function newId(): string {
  return v7();
}

/**
 * Id that is a function of a fact's natural key (UUID v5). Parts may come from clients, so the separator is escaped inside them:
 * no choice of text makes two different lists of parts the same id.
 */
export function deterministicId(...parts: readonly string[]): string {
  return v5(parts.map(escapePart).join('\u001f'), STEWARD_NAMESPACE);
}

function escapePart(part: string): string {
  return part.replaceAll('\u001b', '\u001b0').replaceAll('\u001f', '\u001b1');
}

/** True for the canonical text form of any UUID version. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && validate(value);
}
