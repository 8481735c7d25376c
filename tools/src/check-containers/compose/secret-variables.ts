import { APP_SETTINGS } from '../../app-settings.ts';

const SETTINGS = Object.values(APP_SETTINGS).flatMap((settings) => Object.values(settings));
const SECRET = new Set(SETTINGS.filter(({ secret }) => secret).map(({ variable }) => variable));
const OPEN = new Set(SETTINGS.filter(({ secret }) => !secret).map(({ variable }) => variable));
/** Of images that are not ours, by what such variables are called everywhere. */
const SOUNDS_SECRET = /PASSWORD|SECRET|TOKEN|PRIVATE_KEY/;

/** The variables that hold a secret themselves, where the file with it should be named (`..._FILE`). */
export function findSecretVariables(names: readonly string[]): string[] {
  return names.filter(
    (name) => SECRET.has(name) || (SOUNDS_SECRET.test(name) && !OPEN.has(name) && !name.endsWith('_FILE')),
  );
}
