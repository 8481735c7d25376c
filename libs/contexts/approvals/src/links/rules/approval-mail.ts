import type { Mail } from '@steward/webhooks';
import { showSigns } from '@steward/text';
import type { ApprovalRequest } from '../../requests/approval-request.ts';

/** Maximum length of the arguments in an email; longer ones are shown completely only on the page of the request. */
const MAX_ARGUMENTS = 4_000;

export interface MailContext {
  readonly from: string;
  readonly to: string;
  /** URL of the personal page where the recipient decides on the request. */
  readonly decisionUrl: string;
  readonly isEscalation: boolean;
}

/**
 * Writes the question for an approver, as plain text and as HTML. In both, data from the agent is shown literally, with
 * hidden characters made visible.
 */
export function writeApprovalMail(request: ApprovalRequest, context: MailContext): Mail {
  const { from, to, decisionUrl, isEscalation } = context;
  const summary = showSigns(request.summary);
  const facts: readonly (readonly [string, string])[] = [
    ['Tool', request.server === 'local' ? request.toolName : `${request.server}/${request.toolName}`],
    ['Rule', request.rule?.rule_name ?? ''],
    ...(request.reasoning === null ? [] : [['The agent says', request.reasoning] as const]),
    ['Arguments', cut(showSigns(JSON.stringify(request.arguments, undefined, 2)))],
    ['Open until', request.expiresAt.toISOString()],
  ];
  const lines = facts.map(([name, value]) => [name, showSigns(value)] as const);
  const intro = isEscalation
    ? 'Nobody has decided yet, so you are also asked.'
    : 'A call is waiting for your decision.';
  const own =
    'The link is personal: a decision made with it is recorded as yours. Opening the link does not decide anything.';
  const text = [
    `${summary}. ${intro}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `Decide: ${decisionUrl}`,
    own,
  ].join('\n\n');
  const html = [
    `<p>${escapeHtml(summary)}. ${intro}</p>`,
    ...lines.map(([name, value]) => `<p><b>${name}</b></p><pre>${escapeHtml(value)}</pre>`),
    `<p><a href="${escapeHtml(decisionUrl)}">Decide</a></p><p>${own}</p>`,
  ].join('\n');
  return { from, to, subject: oneLine(`Approve? ${summary}`), text, html };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function cut(text: string): string {
  return text.length <= MAX_ARGUMENTS ? text : `${text.slice(0, MAX_ARGUMENTS).toWellFormed()}\n… (cut)`;
}

/** Returns a text as one line, which prevents header injection. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200).toWellFormed();
}
