import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { AGENT_KINDS, type Enrollable } from './agent-kinds.ts';
import type { JsonObject } from './edit-json.ts';
import { compareToRecord, readConfigFile, type EnrollmentRecord } from './enrollment-record.ts';

/**
 * Returns true if the file still contains everything that the enrollment wrote. Agents also write to it (Codex: trusted
 * hooks and folders; Claude Code: the user's choices), so that the rest may have changed.
 */
export function keepsEnrollment(agent: Enrollable, record: EnrollmentRecord): boolean {
  if (compareToRecord(record) === 'as_enrolled') return true;
  const { wishes, before_base64: before } = record;
  const now = readConfigFile(record.path).bytes;
  if (wishes === undefined || now === undefined) return false;
  const { format, enroll } = AGENT_KINDS[agent];
  const read = (text: string): JsonObject =>
    (text.trim() === '' ? {} : format === 'json' ? JSON.parse(text) : parse(text)) as JsonObject;
  try {
    const old = read(Buffer.from(before ?? '', 'base64').toString());
    return holds(old, enroll(old, wishes), read(now.toString()));
  } catch {
    // Content that cannot be parsed cannot be the content that was written.
    return false;
  }
}

/** Returns true if `now` contains every difference between `before` and `after`, as in `after`. */
function holds(before: unknown, after: unknown, now: unknown): boolean {
  if (isSame(before, after) || isSame(after, now)) return true;
  if (Array.isArray(after)) {
    const added = (after as unknown[]).filter(
      (item) => !Array.isArray(before) || !(before as unknown[]).some((each) => isSame(each, item)),
    );
    return Array.isArray(now) && added.every((item) => (now as unknown[]).some((each) => isSame(each, item)));
  }
  if (!isObject(after) || !isObject(now)) return false;
  const old = isObject(before) ? before : {};
  return Object.entries(after).every(([key, value]) => holds(old[key], value, now[key]));
}

/** Compares values without the prototypes that parsers assign to their objects. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toPlain(one), toPlain(other));
}

const toPlain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
