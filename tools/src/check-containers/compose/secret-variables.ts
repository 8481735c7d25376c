import { APP_SETTINGS } from '../../app-settings.ts';

const SETTINGS = Object.values(APP_SETTINGS).flatMap((settings) => Object.values(settings));
const SECRET = new Set(SETTINGS.filter(({ secret }) => secret).map(({ variable }) => variable));
const OPEN = new Set(SETTINGS.filter(({ secret }) => !secret).map(({ variable }) => variable));
/** Matches usual names of variables with secrets, for third-party images. */
const SOUNDS_SECRET = /PASSWORD|SECRET|TOKEN|PRIVATE_KEY/;

/** Returns the variables that contain a secret themselves, instead of the name of its file (`..._FILE`). */
export function findSecretVariables(names: readonly string[]): string[] {
  return names.filter(
    (name) => SECRET.has(name) || (SOUNDS_SECRET.test(name) && !OPEN.has(name) && !name.endsWith('_FILE')),
  );
}
