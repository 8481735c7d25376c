import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Series } from '../api/answers.ts';
import { seriesQuery, type SeriesQuestion } from './stats.ts';

const QUESTION: SeriesQuestion = {
  ...{ name: 'sessions', from: '2026-11-26T16:00:00.000Z', to: '2026-11-27T16:00:00.000Z' },
  ...{ step: 'hour', groupBy: 'source', limit: 7 },
};
const FORMER = { name: 'sessions', group_by: 'source' } as Series;

/** Returns the data that a chart shows while `next` is loaded, after the former chart was loaded. */
function showWhileLoading(next: Partial<SeriesQuestion>): Series | undefined {
  const client = new QueryClient();
  client.setQueryData(seriesQuery(QUESTION).queryKey, FORMER);
  const observer = new QueryObserver(client, { ...seriesQuery(QUESTION), enabled: false });
  observer.setOptions({ ...seriesQuery({ ...QUESTION, ...next }), enabled: false });
  return observer.getCurrentResult().data;
}

describe('a chart that is being loaded', () => {
  it('shows the former data of the same series and grouping for another range', () => {
    expect(showWhileLoading({ from: '2026-11-20T16:00:00.000Z', step: 'day' })).toEqual(FORMER);
  });

  it.each<Partial<SeriesQuestion>>([{ name: 'search_corpus' }, { groupBy: 'agent' }, { groupKey: 'codex' }])(
    'shows nothing of another chart (%j)',
    (next) => {
      expect(showWhileLoading(next)).toBeUndefined();
    },
  );
});
