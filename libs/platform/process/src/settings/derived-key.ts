import { setting } from './setting-kinds.ts';
import type { Setting } from './settings.ts';

/** The key of one purpose, of a worker that opens what the gateway seals. `opens`: what is sealed under it. */
export function workerKey(variable: string, opens: string): Setting<string> {
  const description = `Decrypts ${opens}. Derived from SECRET_KEY, which this app does not get (npm run derive-keys).`;
  return setting.derivedKey(variable, { description });
}

/** Its former ones. */
export function formerWorkerKeys(variable: string): Setting<readonly string[]> {
  const description = 'The same key derived from SECRET_KEY_PREVIOUS, while SECRET_KEY is rotated.';
  return setting.derivedKeyList(variable, { description });
}
