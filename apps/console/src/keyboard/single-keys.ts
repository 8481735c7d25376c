import { createStore } from '../api/store.ts';

const KEY = 'steward.single-keys';

/** Whether shortcuts without a modifier are on in this browser: users of speech input turn them off (WCAG 2.1.4). */
const singleKeys = createStore(!isSwitchedOff());

export const useSingleKeys = singleKeys.use;

export const hasSingleKeys = singleKeys.read;

export function setSingleKeys(isOn: boolean): void {
  singleKeys.set(isOn);
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Storage is disabled: the choice only lasts until the page is closed.
  }
}

function isSwitchedOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off';
  } catch {
    return false;
  }
}
