import { maskCredentials } from '@steward/masking';
import { toStorableText } from '@steward/text';

/** A label as it is kept and compared: composed characters, no credential. */
export function cleanLabel(label: string): string {
  return maskCredentials(toStorableText(label).normalize('NFC'));
}

/** Labels of a session as they are kept: in the order given, each once. */
export function cleanLabels(labels: readonly string[]): string[] {
  return [...new Set(labels.map(cleanLabel))];
}
