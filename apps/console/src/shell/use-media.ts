import { useCallback, useSyncExternalStore } from 'react';

/**
 * Media query for narrow windows, in which a button opens the rail. The width must match the one in the style sheet.
 */
export const NARROW = '(max-width: 720px)';

/** Returns whether the window matches a media query; the component is rendered again when the result changes. */
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
