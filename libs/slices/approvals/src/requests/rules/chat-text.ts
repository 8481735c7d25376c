import { showSigns } from '@steward/text';
import type { ApprovalRequest } from '../approval-request.ts';

/** What a chat room reads when a request is raised: nothing of the arguments. */
export function describeQuestion({ summary, rule, expiresAt }: ApprovalRequest): string {
  const because = rule?.rule_name ?? null;
  return escapeChat(`${summary}.${because === null ? '' : ` ${because}`} Open until ${expiresAt.toISOString()}.`);
}

/** And when it is decided. */
export function describeOutcome({ summary, status, comment }: ApprovalRequest): string {
  return escapeChat(`${summary}: ${status}.${comment === null ? '' : ` ${comment}`}`);
}

/** What would call people of the room, or hide where a link leads; both chats read these three. Signs that are not seen are shown. */
function escapeChat(text: string): string {
  return showSigns(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b');
}
