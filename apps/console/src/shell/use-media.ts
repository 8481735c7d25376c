import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window is as the question of a style sheet says, now and after it changed. */
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
