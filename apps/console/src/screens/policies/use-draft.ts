import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Policy } from '../../api/answers.ts';
import { accountKey } from '../../queries/query-client.ts';
import type { TestedText } from './backtests.tsx';

export interface Draft {
  /** The version from which the text was loaded. */
  readonly base: Policy;
  readonly text: string;
  /** The last backtest of the draft. */
  readonly tested?: TestedText;
}

/**
 * Returns the draft that is being edited, and a function that changes it. The draft is stored in the query cache until
 * the user signs out or the page is closed, so that nothing is lost when the user opens a call of the backtest. Without
 * edits, the draft has the text of the version in force.
 */
export function useDraft(policy: Policy): readonly [Draft, (changes: Partial<Draft>) => void] {
  const client = useQueryClient();
  const queryKey = accountKey('policy-draft');
  const fresh: Draft = { base: policy, text: policy.text };
  const { data = fresh } = useQuery<Draft>({ queryKey, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });
  const isUntouched = data.text === data.base.text;
  const draft = isUntouched && policy.version >= data.base.version ? { ...data, ...fresh } : data;
  const change = (changes: Partial<Draft>): void => {
    client.setQueryData<Draft>(queryKey, (kept) => ({ ...(kept === data ? draft : (kept ?? draft)), ...changes }));
  };
  return [draft, change];
}
