import { loadSettings, setting } from '@steward/process';

/**
 * Reads a secret that a user passed to a tool: from `<variable>`, or from the file that `<variable>_FILE` names.
 * Returns undefined if neither is set.
 * @throws SettingsError if both are set, or the file cannot be read
 */
export function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
): string | undefined {
  return loadSettings({ value: setting.maskedText(variable, { description: '' }) }, environment).value;
}
