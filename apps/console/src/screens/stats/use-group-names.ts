import { useCallback } from 'react';
import { showName, useNames, type NamedKind } from '../../queries/use-names.ts';

const KINDS: readonly NamedKind[] = ['agent', 'key', 'flow', 'person', 'endpoint'];

/**
 * Returns a function that returns the name of a group for its key; if a series is grouped by objects, the keys are ids.
 */
export function useGroupNames(by: string | undefined): (key: string | null) => string {
  const names = useNames(...KINDS.filter((kind) => kind === by));
  return useCallback((key: string | null) => (key === null ? 'none' : showName(names, key)), [names]);
}
