import type { ApprovalRequest } from '../../requests/approval-request.ts';
import { describeOutcome, describeQuestion } from '../../requests/rules/chat-text.ts';
import { writeApprovalMail } from './approval-mail.ts';

const SIGNS = ['\u202e', '\u200b', '\u2060', '\u00ad', '\u{e0041}', '\u2066', '\u0085', '\ufeff'];
const TEXT = `cat notes${SIGNS.join('x')}.txt`;
const REQUEST = {
  summary: TEXT,
  toolName: TEXT,
  server: TEXT,
  reasoning: TEXT,
  comment: TEXT,
  status: 'declined',
  rule: { rule_name: TEXT },
  arguments: { [TEXT]: TEXT },
  expiresAt: new Date(0),
} as unknown as ApprovalRequest;

const CONTEXT = {
  from: 'a@example.com',
  to: 'b@example.com',
  decisionUrl: 'https://x/approval/t',
  isEscalation: false,
};

describe('the mail for approvers (APR-23)', () => {
  it.each<[string, () => string]>([
    ['a mail', () => writeApprovalMail(REQUEST, CONTEXT).text],
    ['an e-mail as HTML', () => writeApprovalMail(REQUEST, CONTEXT).html ?? ''],
    ['the subject of an e-mail', () => writeApprovalMail(REQUEST, CONTEXT).subject],
    ['a question in a chat', () => describeQuestion(REQUEST)],
    ['an outcome in a chat', () => describeOutcome(REQUEST)],
  ])('%s shows invisible characters visibly', (_what, write) => {
    const shown = write();
    for (const sign of SIGNS) expect(shown).not.toContain(sign);
    expect(shown).toContain('notes\\u{202e}x\\u{200b}x');
  });

  it('an argument that consists only of such characters is truncated according to its displayed length', () => {
    const { text } = writeApprovalMail({ ...REQUEST, arguments: '\u{e0041}'.repeat(4_000) }, CONTEXT);
    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain('(cut)');
  });
});
