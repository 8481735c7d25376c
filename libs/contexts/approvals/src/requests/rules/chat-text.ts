import { showSigns } from '@steward/text';
import type { ApprovalRequest } from '../approval-request.ts';

/** Writes the chat message about a new request, without its arguments. */
export function describeQuestion({ summary, rule, expiresAt }: ApprovalRequest): string {
  const because = rule?.rule_name ?? null;
  return escapeChat(`${summary}.${because === null ? '' : ` ${because}`} Open until ${expiresAt.toISOString()}.`);
}

/** Writes the chat message about a request that was decided, or has ended without a decision. */
export function describeOutcome({ summary, status, comment }: ApprovalRequest): string {
  return escapeChat(`${summary}: ${status}.${comment === null ? '' : ` ${comment}`}`);
}

/**
 * Escapes characters with which the text could mention people, or hide the target of a link; Slack and Mattermost
 * interpret `&`, `<` and `>`. Invisible characters are made visible.
 */
function escapeChat(text: string): string {
  return showSigns(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b');
}
