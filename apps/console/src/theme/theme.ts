import { createStore } from '../api/store.ts';

/**
 * Themes that the user can choose. The choice is saved in the storage of the browser, and `first-theme.js` applies it
 * before the first paint.
 */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'steward.theme';

/** Number of theme changes, for elements that are drawn by code in the colors of the theme. */
const drawn = createStore(0);

/** Returns a number that changes with each change of the theme. */
export const useThemeChanges = drawn.use;

export function readTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  drawn.set(drawn.read() + 1);
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is disabled: the choice lasts as long as the page.
  }
}
