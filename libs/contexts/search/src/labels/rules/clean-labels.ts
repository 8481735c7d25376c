import { maskCredentials } from '@steward/masking';
import { toStorableText } from '@steward/text';

/** Returns the stored form of a label, also used for comparison: with composed characters and without credentials. */
export function cleanLabel(label: string): string {
  return maskCredentials(toStorableText(label).normalize('NFC'));
}

/** Returns the stored form of a session's labels: in the given order, without duplicates. */
export function cleanLabels(labels: readonly string[]): string[] {
  return [...new Set(labels.map(cleanLabel))];
}
