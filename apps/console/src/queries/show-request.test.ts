import type { ApprovalRequest } from '../api/answers.ts';
import { showArguments, showRequest } from './show-request.ts';

const SIGNS = ['\u202e', '\u200b', '\u2060', '\u00ad', '\u{e0041}', '\u2066'];

it('a request shows invisible characters in a visible form, whether an agent or a person wrote them (APR-23)', () => {
  const text = `a${SIGNS.join('x')}b می\u200cخواهم`;
  const request = {
    summary: text,
    tool_name: text,
    server: text,
    reasoning: text,
    comment: text,
    managed_agent_name: text,
    rule: { rule_name: text },
    votes: [{ display: text, comment: text, at: '2026-11-27T10:00:00Z' }],
    quorum: 2,
    arguments: { [text]: text },
  } as unknown as ApprovalRequest;
  const shown = showRequest(request);
  const seen = JSON.stringify({ ...shown, arguments: showArguments(shown) });
  for (const sign of SIGNS) expect(seen).not.toContain(sign);
  expect(shown).toMatchObject({ reasoning: expect.stringContaining('\\u{202e}x\\u{200b}') as string, quorum: 2 });
  expect(shown.reasoning).toContain('می\u200cخواهم');
  expect(showArguments(shown)).toMatch(/^\{\n {2}"a\\u\{202e\}.*": "a\\u\{202e\}/);
});
