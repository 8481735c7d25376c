import { escapeHtml, type ApprovalRequest } from '@steward/approvals';
import { showSigns } from '@steward/text';

const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const;

interface Page {
  readonly status: number;
  readonly headers: typeof HEADERS;
  readonly html: string;
}

/** Renders the question with a form; viewing the page decides nothing. */
export function renderQuestion(request: ApprovalRequest, token: string, problem?: string): Page {
  const { summary, toolName, server, reasoning, rule, expiresAt } = request;
  const facts: readonly (readonly [string, string])[] = [
    ['Tool', server === 'local' ? toolName : `${server}/${toolName}`],
    ['Rule', rule?.rule_name ?? ''],
    ...(reasoning === null ? [] : [['The agent says', reasoning] as const]),
    ['Arguments', JSON.stringify(request.arguments, undefined, 2)],
    ['Open until', expiresAt.toISOString()],
  ];
  const list = facts
    .map(([name, value]) => `<dt>${name}</dt><dd><pre>${escapeHtml(showSigns(value))}</pre></dd>`)
    .join('');
  return render(problem === undefined ? 200 : 422, 'Your decision', [
    ...(problem === undefined ? [] : [`<p role="alert"><strong>${escapeHtml(problem)}</strong></p>`]),
    `<p>${escapeHtml(showSigns(summary))}.</p><dl>${list}</dl>`,
    `<form method="post" action="/approval/${escapeHtml(token)}">`,
    '<p><label for="comment">Comment</label><br><textarea id="comment" name="comment" rows="4" cols="60" maxlength="2000"></textarea></p>',
    '<p><button name="decision" value="approve">Approve</button> <button name="decision" value="decline">Decline</button></p>',
    '</form>',
  ]);
}

export function renderOutcome({ status, summary, quorum }: ApprovalRequest): Page {
  const words =
    status === 'pending'
      ? `Your approval was recorded. ${quorum} people must approve in total.`
      : `The request is ${status}.`;
  return render(200, 'Thank you', [`<p>${escapeHtml(showSigns(summary))}.</p><p>${words}</p>`]);
}

/**
 * Renders the page for a link that cannot be used (it is used or unknown, its request is closed, or its recipient has
 * already voted or may not vote); the page does not show which of these is the reason.
 */
export function renderUnusable(): Page {
  return render(404, 'This link cannot be used', [
    '<p>It was already used, the request is closed, or the link is invalid. Log in to see your requests.</p>',
  ]);
}

function render(status: number, title: string, parts: readonly string[]): Page {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${title}</h1>${parts.join('')}</main></body></html>\n`;
  return { status, headers: HEADERS, html };
}
