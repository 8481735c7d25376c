import { setting } from './setting-kinds.ts';
import type { Setting } from './settings.ts';

/**
 * Returns the setting for the key of one purpose, for a worker that decrypts values encrypted by the gateway. `opens`
 * describes those values.
 */
export function workerKey(variable: string, opens: string): Setting<string> {
  const description = `Decrypts ${opens}. Derived from SECRET_KEY, which is not available to this app (npm run derive-keys).`;
  return setting.derivedKey(variable, { description });
}

/** Returns the setting for previous keys of the worker. */
export function formerWorkerKeys(variable: string): Setting<readonly string[]> {
  const description = 'The same key derived from SECRET_KEY_PREVIOUS, while SECRET_KEY is rotated.';
  return setting.derivedKeyList(variable, { description });
}
