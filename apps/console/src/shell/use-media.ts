import { useCallback, useSyncExternalStore } from 'react';

/** Windows in which the rail is behind a button. Must match the value in the style sheet. */
export const NARROW = '(max-width: 720px)';

/** Returns whether the window matches a media query, now and after changes. */
export function useMedia(question: string): boolean {
  const watch = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(question);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [question],
  );
  return useSyncExternalStore(watch, () => matchMedia(question).matches);
}
