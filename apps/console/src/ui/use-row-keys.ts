import { useMemo, type RefObject } from 'react';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';

/**
 * Lets `j` and `k` move to the next and the previous row of a table: the first link, button or summary of the row gets
 * the focus, so that Enter activates it.
 */
export function useRowKeys(place: RefObject<HTMLElement | null>): void {
  useShortcuts(
    useMemo(() => {
      const move = (step: 1 | -1): void => {
        const rows = [...(place.current?.querySelectorAll('tbody tr') ?? [])];
        const current = rows.findIndex((row) => row.contains(document.activeElement));
        const next = current === -1 ? rows[0] : rows[current + step];
        next?.querySelector<HTMLElement>('a, button, summary')?.focus();
      };
      return { j: () => move(1), k: () => move(-1) };
    }, [place]),
  );
}
