import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PolicyProblem } from '../../api/answers.ts';
import { policiesKey, validatePolicy } from '../../queries/policies.ts';

export interface PolicyCheck {
  readonly errors: readonly PolicyProblem[];
  readonly warnings: readonly PolicyProblem[];
  /** Whether the result belongs to an older version of the text. */
  readonly isOld: boolean;
  readonly error: unknown;
}

const NONE: readonly PolicyProblem[] = [];

/** Time without typing after which the text is checked. */
const REST_MS = 300;

/** Returns the problems that the service finds in the text, which is checked again after each edit. */
export function usePolicyCheck(text: string): PolicyCheck {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...policiesKey(), 'check', settled],
    queryFn: () => validatePolicy(settled),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return {
    errors: data?.errors ?? NONE,
    warnings: data?.warnings ?? NONE,
    isOld: isPlaceholderData || settled !== text || data === undefined,
    error,
  };
}
