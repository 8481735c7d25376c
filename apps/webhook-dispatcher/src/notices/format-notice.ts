import type { ChannelKind } from '@steward/webhooks';
import type { LinkedNotice } from './notice.ts';

/** A notice in the format of its service. */
export interface NoticePost {
  readonly url: string;
  readonly body: object;
}

/** Text of links and buttons. */
const OPEN = 'Open in Steward';

const FORMATS: { readonly [Kind in ChannelKind]: (notice: LinkedNotice, url: string) => NoticePost } = {
  slack: formatSlack,
  teams: formatTeams,
  ntfy: formatNtfy,
};

export function formatNotice(kind: ChannelKind, notice: LinkedNotice, url: string): NoticePost {
  return FORMATS[kind](notice, url);
}

/** Slack shows at most ten fields of a section: five facts with their labels. */
const SLACK_FACTS = 5;

/**
 * Formats a notice for an incoming webhook of Slack. `text` is shown in push notifications and read by screen readers.
 * Values are plain text: only `mrkdwn` interprets links, mentions and formatting.
 */
function formatSlack({ title, facts, url: link }: LinkedNotice, url: string): NoticePost {
  const shown = facts.slice(0, SLACK_FACTS);
  const fields = shown.flatMap(([label, value]) => [
    { type: 'mrkdwn', text: `*${label}*` },
    { type: 'plain_text', text: value, emoji: false },
  ]);
  const body = {
    text: escapeSlack(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escapeSlack(link)}|${OPEN}>` } },
    ],
  };
  return { url, body };
}

/** Escapes the three control characters of `mrkdwn`, with which links and mentions are written. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Formats a notice as an Adaptive Card for a Teams workflow ("post to a channel when a webhook request is received").
 * All text is in text runs, since text blocks and fact sets of a card interpret Markdown. `summary` is shown in the
 * list of activities.
 */
function formatTeams({ title, facts, url: link, urgency }: LinkedNotice, url: string): NoticePost {
  const color = urgency === 'urgent' ? 'Attention' : 'Default';
  const run = (text: string, format: object = {}) => ({ type: 'TextRun', text, ...format });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'RichTextBlock', inlines: [run(title, { size: 'Large', weight: 'Bolder', color })] },
      ...facts.map(([label, value]) => ({
        type: 'RichTextBlock',
        inlines: [run(`${label}: `, { weight: 'Bolder' }), run(value)],
      })),
    ],
    actions: [{ type: 'Action.OpenUrl', title: OPEN, url: link }],
    msteams: { width: 'Full' },
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { url, body: { type: 'message', summary: title, attachments: [attachment] } };
}

const NTFY_PRIORITIES = { normal: 3, high: 4, urgent: 5 } as const;

/**
 * Formats a notice for ntfy: the topic and the message are sent as JSON to the root of the server, because headers
 * cannot contain Unicode.
 */
function formatNtfy({ title, facts, url: link, urgency }: LinkedNotice, url: string): NoticePost {
  const { root, topic } = splitTopic(url);
  const message = facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  const body = {
    topic,
    title,
    message: message === '' ? title : message,
    priority: NTFY_PRIORITIES[urgency],
    click: link,
    actions: [{ action: 'view', label: OPEN, url: link }],
  };
  return { url: root, body };
}

/** Splits the URL of a channel into the URL of the server and the topic, which is the last segment of the path. */
function splitTopic(address: string): { readonly root: string; readonly topic: string } {
  const url = new URL(address);
  const [topic = '', ...rest] = url.pathname.split('/').reverse();
  url.pathname = `${rest.reverse().join('/')}/`;
  return { root: url.href, topic };
}
