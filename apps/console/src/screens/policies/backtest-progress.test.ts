import { readProgress } from './backtest-progress.ts';

const BEGUN = {
  finished_at: null,
  since: '2026-11-01T00:00:00Z',
  until: '2026-11-05T00:00:00Z',
  examined: 0,
  limit: 1000,
  examined_back_to: null,
};

it.each([
  ['nothing before the first call', {}, 0],
  ['the time that is examined', { examined: 100, examined_back_to: '2026-11-04T00:00:00Z' }, 0.25],
  ['the number of calls, if that ends it earlier', { examined: 900, examined_back_to: '2026-11-04T00:00:00Z' }, 0.9],
  ['all when it is finished', { finished_at: '2026-11-05T00:00:01Z' }, 1],
])('the progress of a backtest is %s', (_name, facts, share) => {
  expect(readProgress({ ...BEGUN, ...facts })).toBe(share);
});
