import { useEffect, type RefObject } from 'react';

/** What people move the page by; from then on it is theirs. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Brings an entry of a list into view, and keeps it there while the entries around it get their heights, which are guessed until
 * they are drawn: until somebody moves the page.
 */
export function useInView(place: RefObject<HTMLElement | null>, isMeant: boolean): void {
  // Where the browser has scrolled to is outside of React.
  useEffect(() => {
    const entry = place.current;
    const list = entry?.parentElement;
    if (!isMeant || entry === null || list === null || list === undefined) return undefined;
    const show = (): void => entry.scrollIntoView({ block: 'center' });
    const observer = new ResizeObserver(show);
    const stop = (): void => {
      observer.disconnect();
      for (const move of MOVES) removeEventListener(move, stop);
    };
    show();
    observer.observe(list);
    for (const move of MOVES) addEventListener(move, stop, { passive: true });
    return stop;
  }, [place, isMeant]);
}
