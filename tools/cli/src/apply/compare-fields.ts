import type { Kind } from './kinds.ts';
import { isObject } from './read-documents.ts';
import { holdsSecret } from './references.ts';
import { canonical, fingerprint, wasSecret, type AppliedObject } from './state-file.ts';

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** True if neither value may be shown. */
  readonly isSecret: boolean;
  /** True if the document has not changed since it was last applied, so that the value was changed in the service. */
  readonly isDrift: boolean;
  /** True if the document no longer contains the field, so that it returns to its default. */
  readonly isUnset: boolean;
}

export interface Compared {
  readonly kind: Pick<Kind, 'hidden' | 'secret' | 'defaults'>;
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
 * value shown by the service has changed since the last apply. Fields that the document no longer contains return to
 * their defaults.
 */
export function compareFields(compared: Compared): FieldChange[] {
  const { kind, spec, desired, current, stored, salt } = compared;
  const changes: FieldChange[] = [];
  for (const [field, after] of Object.entries(desired)) {
    const isSecret = isSecretField(kind, field, spec[field]);
    const before = current[field];
    const last = stored?.fields[field];
    const isAsApplied = last?.applied === fingerprint(after, salt, isSecret);
    // A part of an object that the document no longer contains is not seen by comparing it with the service.
    const isShorter = last !== undefined && !isAsApplied && holdsObject(after);
    if (matches(after, before) && !isHidden(kind, field, { after, current }) && !isShorter) continue;
    if (isAsApplied && last.observed === fingerprint(readObserved(kind, field, current), salt, isSecret)) continue;
    const hides = isSecret || wasSecret(last);
    changes.push({ field, before, after, isSecret: hides, isDrift: isAsApplied, isUnset: false });
  }
  return [...changes, ...listUnset(compared)];
}

function listUnset({ kind, spec, current, stored }: Compared): FieldChange[] {
  return listRemoved(spec, stored).flatMap((field) => {
    const after = kind.defaults[field];
    const says = kind.hidden?.[field];
    const isDefault = says === undefined ? isSame(after, current[field]) : !isShown(current[says]);
    if (after === undefined || isDefault) return [];
    const isSecret = isSecretField(kind, field, true) || wasSecret(stored?.fields[field]);
    return [{ field, before: current[field], after, isSecret, isDrift: false, isUnset: true }];
  });
}

/** Returns true if the service has the default; it may show an object without values instead of null. */
function isSame(byDefault: unknown, current: unknown): boolean {
  return byDefault === null ? isEmpty(current) : canonical(byDefault) === canonical(current);
}

function isEmpty(value: unknown): boolean {
  return isNothing(value) || (isObject(value) && Object.values(value).every(isEmpty));
}

/** Lists the fields that the document no longer contains and that have no default: they keep their values. */
export function listKept({ kind, spec, stored }: Pick<Compared, 'kind' | 'spec' | 'stored'>): string[] {
  return listRemoved(spec, stored).filter((field) => kind.defaults[field] === undefined);
}

function listRemoved(spec: Compared['spec'], stored: AppliedObject | undefined): string[] {
  return Object.keys(stored?.fields ?? {}).filter((field) => !(field in spec));
}

function holdsObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsObject) : isObject(value);
}

/**
 * Returns true if a value may not be shown, because it contains a value from the environment, because the service never
 * returns it, or because it is a credential.
 */
export function isSecretField(kind: Pick<Kind, 'hidden' | 'secret'>, field: string, value: unknown): boolean {
  const isCredential = kind.hidden?.[field] !== undefined || kind.secret?.includes(field) === true;
  return holdsSecret(value) || (isCredential && !isNothing(value));
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
  return says !== undefined && !(isNothing(after) && !isShown(current[says]));
}

/** Returns true if a field that stands for a hidden one says that it has a value: true, or the end of the value. */
export function isShown(says: unknown): boolean {
  return says === true || typeof says === 'string';
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
