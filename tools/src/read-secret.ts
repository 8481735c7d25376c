import { loadSettings, setting } from '@steward/process';

/**
 * Reads a secret that a person gave to a tool: `<variable>` or the file that `<variable>_FILE` names. Undefined if both
 * are unset.
 * @throws SettingsError if both are set, or the file cannot be read
 */
export function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
): string | undefined {
  return loadSettings({ value: setting.maskedText(variable, { description: '' }) }, environment).value;
}
