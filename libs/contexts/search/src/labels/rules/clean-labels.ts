import { maskCredentials } from '@steward/masking';
import { toStorableText } from '@steward/text';

/** Stored form of a label, also for comparison: composed characters, no credential. */
export function cleanLabel(label: string): string {
  return maskCredentials(toStorableText(label).normalize('NFC'));
}

/** Stored form of a session's labels: in the given order, without duplicates. */
export function cleanLabels(labels: readonly string[]): string[] {
  return [...new Set(labels.map(cleanLabel))];
}
