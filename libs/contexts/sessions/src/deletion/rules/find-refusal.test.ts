import { findRefusal } from './find-refusal.ts';

const [RUN, END] = ['0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11', new Date('2026-11-22T12:00:00.000Z')];

describe('the decision whether a session may be deleted', () => {
  it.each<[string, boolean, string | null, Date | null, string | undefined]>([
    ['may, open or ended, where nobody holds it', false, null, null, undefined],
    ['may, once its run is over (SESS-23)', false, RUN, END, undefined],
    ['may not while its run goes on (SESS-23)', false, RUN, null, 'execution_active'],
    ['may not while it is held (SESS-22)', true, null, null, 'legal_hold'],
    ['may not while it is held, ended or not (SESS-22)', true, null, END, 'legal_hold'],
    ['names the hold first: that one outlasts the run', true, RUN, null, 'legal_hold'],
    ['names the hold also when the run is over', true, RUN, END, 'legal_hold'],
  ])('%s', (_what, legal_hold, execution_id, ended_at, refusal) => {
    expect(findRefusal({ legal_hold, execution_id, ended_at })).toBe(refusal);
  });
});
