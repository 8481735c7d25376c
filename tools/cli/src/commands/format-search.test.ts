import { formatMarks, formatSearchAnswer } from './format-search.ts';
import { readMoment } from './search-filters.ts';

const plain = { mark: (text: string) => `[${text}]`, bold: String, dim: String, good: String, bad: String };
const NOW = new Date('2026-05-08T12:00:00Z');

describe('search output', () => {
  it('highlights the matches and unescapes HTML', () => {
    expect(formatMarks('if (a &lt; <mark>b</mark> &amp;&amp; c) &quot;x&#39;s&quot; &amp;lt;', plain)).toBe(
      `if (a < [b] && c) "x's" &lt;`,
    );
  });

  it('explains why an empty page does not mean that nothing matches', () => {
    const lines = formatSearchAnswer(
      {
        ...{ mode: 'hybrid', effective_mode: 'keyword', results: [], total: 0, total_is_exact: true, elapsed_ms: 3.2 },
        ...{ next_cursor: null, indexed_from: null, backfill_complete: false },
        degraded: { reasons: ['semantic_not_enabled'] },
      },
      plain,
    );
    expect(lines.join('\n')).toContain('0 sessions (hybrid, ran as keyword, 3 ms)');
    expect(lines.join('\n')).toContain('semantic_not_enabled');
    expect(lines.join('\n')).toContain('not indexed yet');
  });

  it('prints the service’s explanation of an empty page', () => {
    const lines = formatSearchAnswer(
      {
        ...{ mode: 'keyword', effective_mode: 'keyword', results: [], total: 0, total_is_exact: true, elapsed_ms: 3 },
        ...{ next_cursor: null, indexed_from: null, backfill_complete: true, degraded: { reasons: [] } },
        hint: 'No session matches; "errors" does.',
      },
      plain,
    );
    expect(lines.at(-1)).toBe('No session matches; "errors" does.');
  });

  it.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z'],
    ['24h', '2026-05-07T12:00:00.000Z'],
    ['7d', '2026-05-01T12:00:00.000Z'],
  ])('parses the time %s', (text, expected) => {
    expect(readMoment(text, '--since', NOW)).toBe(expected);
  });

  it.each(['yesterday', '2026-13-01', '2026-05-01T10:00:00', '7y', ''])('refuses the time "%s"', (text) => {
    expect(() => readMoment(text, '--since', NOW)).toThrow('--since takes');
  });
});
