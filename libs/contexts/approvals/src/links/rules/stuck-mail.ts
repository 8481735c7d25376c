import { showSigns } from '@steward/text';
import type { Mail } from '@steward/webhooks';
import { escapeHtml } from './approval-mail.ts';

/**
 * Writes the email to users who can change a workflow that has too few approvers. The email contains no data of the
 * waiting calls.
 */
export function writeStuckMail(stuck: {
  readonly from: string;
  readonly to: string;
  readonly workflow: string;
  readonly reason: string;
  /** URL of the request's page; null if the deployment has no public URL. */
  readonly reviewUrl: string | null;
}): Mail {
  const { from, to, reviewUrl } = stuck;
  const [workflow, reason] = [showSigns(stuck.workflow), showSigns(stuck.reason)];
  const intro = `A call is waiting for approval by the workflow "${workflow}". ${reason}`;
  const end = 'This mail is sent at most once a day per workflow.';
  const link = reviewUrl === null ? [] : [`The request: ${reviewUrl}`];
  const text = [intro, ...link, end].join('\n\n');
  const html = [intro, ...link, end].map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  const subject = `Nobody can approve requests of the workflow "${workflow}"`
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200)
    .toWellFormed();
  return { from, to, subject, text, html };
}
