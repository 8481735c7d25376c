import { v5, validate } from 'uuid';
import { entropy, takeEntropy } from './entropy.ts';

/**
 * Namespace of deterministic ids: the same natural key results in the same id in every deployment. It must never be
 * changed.
 */
const STEWARD_NAMESPACE = '6f1d6f0e-52c1-5f0b-9d0a-7a1c1f7f5f64';

/**
 * Time of the last id. It is kept so that the ids of one process ascend, even within a millisecond and if the clock is
 * set back.
 */
let lastMs = Number.NEGATIVE_INFINITY;
let sequence = 0;

/**
 * Returns a time-ordered row id (UUID v7), so that new rows are added at the end of an index on the id. The function
 * overwrites the random bytes in place, because `v7` of the `uuid` package creates several objects per id, and a
 * trigger needs three ids.
 */
export function newId(): string {
  const at = takeEntropy(16);
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // The counter starts with its highest bit 0, so that increments do not overflow soon.
    sequence = entropy.readUInt32BE(at + 6) & 0x7f_ff_ff_ff;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs += 1;
  }
  entropy.writeUIntBE(lastMs, at, 6);
  // The bytes follow RFC 9562: the version, then the 32 counter bits around the variant.
  entropy[at + 6] = 0x70 | ((sequence >>> 28) & 0x0f);
  entropy[at + 7] = sequence >>> 20;
  entropy[at + 8] = 0x80 | ((sequence >>> 14) & 0x3f);
  entropy[at + 9] = sequence >>> 6;
  entropy[at + 10] = (sequence << 2) | ((entropy[at + 10] ?? 0) & 0x03);
  const hex = entropy.toString('hex', at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns an id derived from a fact's natural key (UUID v5). Parts may come from clients, so the separator is escaped
 * inside them: two different lists of parts never result in the same id.
 */
export function deterministicId(...parts: readonly string[]): string {
  return v5(parts.map(escapePart).join('\u001f'), STEWARD_NAMESPACE);
}

function escapePart(part: string): string {
  return part.replaceAll('\u001b', '\u001b0').replaceAll('\u001f', '\u001b1');
}

/** Returns true for the canonical string form of any UUID version. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && validate(value);
}
