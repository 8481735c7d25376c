import { partialMatchKey, queryOptions } from '@tanstack/react-query';
import type { Series, UsageCallPage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

/** Refresh interval while the page is visible. */
const LOOK_MS = 60_000;

export interface SeriesQuestion {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly step: 'hour' | 'day';
  readonly groupBy?: string | undefined;
  /** If set, only this group is returned. */
  readonly groupKey?: string | undefined;
  readonly limit?: number | undefined;
}

/** Returns the time zone of the reader, which determines when days begin. */
export const readTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const seriesQuery = ({ name, from, to, step, groupBy, groupKey, limit }: SeriesQuestion) => {
  const shown = accountKey('stats', { name, groupBy, groupKey });
  return queryOptions({
    queryKey: [...shown, { from, to, step, limit }],
    queryFn: read<Series>(`/api/v1/stats/${name}`, {
      ...{ from, to, step, limit, group_by: groupBy, key: groupKey, time_zone: readTimeZone() },
    }),
    // The previous data stays on the screen while a different range is loaded, but not while a different series or
    // grouping is loaded, because the groups then differ.
    placeholderData: (former: Series | undefined, query) =>
      query !== undefined && partialMatchKey(query.queryKey, shown) ? former : undefined,
    staleTime: LOOK_MS,
    refetchInterval: LOOK_MS,
  });
};

export const CALL_KEYS = ['model', 'agent', 'key', 'flow', 'person', 'result', 'from', 'to', 'cursor'] as const;
export type CallParams = Texts<(typeof CALL_KEYS)[number]>;

export const callsQuery = ({ model, agent, key, flow, person, result, from, to, cursor }: CallParams) => {
  const query = {
    ...{ model_alias: model, managed_agent_id: agent, api_key_id: key, flow_id: flow, user_id: person },
    ...{ status: result, since: from, until: to, cursor },
  };
  return queryOptions({
    queryKey: accountKey('calls', query),
    queryFn: read<UsageCallPage>('/api/v1/usage', query),
  });
};
