import type { Kind } from './kinds.ts';
import { isObject } from './read-documents.ts';
import { holdsSecret } from './references.ts';
import { fingerprint, type AppliedObject } from './state-file.ts';

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** True if neither value may be shown. */
  readonly isSecret: boolean;
  /** True if the document has not changed since it was last applied, so that the value was changed in the service. */
  readonly isDrift: boolean;
}

export interface Compared {
  readonly kind: Pick<Kind, 'hidden'>;
  /** Fields of the original document, with references. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Fields of the document, with values of the environment and the known ids inserted. */
  readonly desired: Readonly<Record<string, unknown>>;
  readonly current: Readonly<Record<string, unknown>>;
  readonly stored: AppliedObject | undefined;
  readonly salt: string;
}

/**
 * Lists the fields of a document that differ from the state of the service. The service may show a value in a form
 * other than the one that was sent, or not at all: a field is considered unchanged if neither the document nor the
 * value shown by the service has changed since the last apply.
 */
export function compareFields({ kind, spec, desired, current, stored, salt }: Compared): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, after] of Object.entries(desired)) {
    const isSecret = isSecretField(kind, field, spec[field]);
    const before = current[field];
    if (matches(after, before) && !isHidden(kind, field, { after, current })) continue;
    const last = stored?.fields[field];
    const isAsApplied = last?.applied === fingerprint(after, salt, isSecret);
    if (isAsApplied && last.observed === fingerprint(readObserved(kind, field, current), salt, isSecret)) continue;
    changes.push({ field, before, after, isSecret, isDrift: isAsApplied });
  }
  return changes;
}

/**
 * Returns true if a value may not be shown, because it contains a value from the environment, or because the service
 * never returns it.
 */
export function isSecretField({ hidden = {} }: Pick<Kind, 'hidden'>, field: string, value: unknown): boolean {
  return holdsSecret(value) || (hidden[field] !== undefined && !isNothing(value));
}

/**
 * Returns the value of a field in the service; if no response contains the field, that of another field, which shows
 * whether it has a value.
 */
export function readObserved(
  { hidden = {} }: Pick<Kind, 'hidden'>,
  field: string,
  current: Compared['current'],
): unknown {
  const says = hidden[field];
  return says === undefined ? current[field] : current[says];
}

function isHidden(
  { hidden = {} }: Pick<Kind, 'hidden'>,
  field: string,
  { after, current }: { readonly after: unknown; readonly current: Compared['current'] },
): boolean {
  const says = hidden[field];
  return says !== undefined && !(isNothing(after) && current[says] !== true);
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Returns true if the service has everything that a document requires; it may have more. */
export function matches(desired: unknown, current: unknown): boolean {
  if (isNothing(desired)) return isNothing(current);
  if (Array.isArray(desired)) return Array.isArray(current) && matchesList(desired, current);
  if (isObject(desired))
    return isObject(current) && Object.entries(desired).every(([key, value]) => matches(value, current[key]));
  return desired === current;
}

function matchesList(desired: readonly unknown[], current: readonly unknown[]): boolean {
  if (desired.length !== current.length) return false;
  if (desired.every((item, index) => matches(item, current[index]))) return true;
  // The order of names and ids in a list of strings is irrelevant.
  const sorted = (list: readonly unknown[]): string => JSON.stringify(list.toSorted());
  return [...desired, ...current].every((item) => typeof item === 'string') && sorted(desired) === sorted(current);
}
