import { createStore } from '../api/store.ts';

const KEY = 'steward.single-keys';

/** Whether keys without a modifier do anything in this browser: people who speak to it switch them off (WCAG 2.1.4). */
const singleKeys = createStore(!isSwitchedOff());

export const useSingleKeys = singleKeys.use;

export const hasSingleKeys = singleKeys.read;

export function setSingleKeys(isOn: boolean): void {
  singleKeys.set(isOn);
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}

function isSwitchedOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off';
  } catch {
    return false;
  }
}
