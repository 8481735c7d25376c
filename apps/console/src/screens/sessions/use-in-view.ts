import { useEffect, type RefObject } from 'react';

/** Input events that may scroll the page; after such an event, the user controls the position. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls an entry of a list into view, and keeps it there while the entries around it get their real heights, until
 * the user scrolls.
 */
export function useInView(place: RefObject<HTMLElement | null>, isMeant: boolean): void {
  // The scroll position is not managed by React.
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
