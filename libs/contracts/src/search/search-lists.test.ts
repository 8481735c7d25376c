import { DEGRADED_REASONS } from './degraded-reasons.ts';
import { SEARCH_MODES } from './search-modes.ts';
import { isContentKind, SESSION_CONTENT_KINDS, SOURCE_KINDS } from './source-kinds.ts';

describe('constant values of the search API', () => {
  it('are the modes (SRCH-4)', () => {
    expect(SEARCH_MODES).toEqual(['keyword', 'semantic', 'hybrid']);
  });

  it('include the kinds of chunks: those of content and that of the session itself (CORP-2, SESS-9)', () => {
    expect(SOURCE_KINDS.filter((kind) => !isContentKind(kind))).toEqual(['session_summary']);
    expect(SOURCE_KINDS.filter(isContentKind)).toEqual(SESSION_CONTENT_KINDS);
  });

  it.each(Object.entries(DEGRADED_REASONS))('%s is described by a sentence', (reason, sentence) => {
    expect(reason).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('never report the keyword half as degraded: no reason names it (SRCH-23)', () => {
    expect(Object.keys(DEGRADED_REASONS).filter((reason) => reason.startsWith('keyword'))).toEqual([]);
  });

  it('are unique across all lists', () => {
    const names = [...SEARCH_MODES, ...SOURCE_KINDS, ...Object.keys(DEGRADED_REASONS)];
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });
});
