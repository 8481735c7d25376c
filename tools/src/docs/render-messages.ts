import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX, MESSAGES } from '@steward/contracts';

/** Renders the message catalog as a page for operators. */
export function renderMessages(): string {
  const sections = Object.values(MESSAGES).map((message) =>
    [
      `## ${message.name}`,
      '',
      message.description,
      '',
      '| | |',
      '|---|---|',
      `| subject | \`${message.subject}\` |`,
      `| stream | \`${message.stream}\` |`,
      `| published by | ${message.publishers.join(', ')} |`,
      `| consumed by | ${message.consumer.app} |`,
      `| version | ${message.version} |`,
      `| durable | \`${message.consumer.durable}\` |`,
      `| acknowledge within | ${message.consumer.ackWaitSeconds} s of silence |`,
      `| deliveries before the dead-letter stream | ${message.consumer.maxDeliver} |`,
      `| unacknowledged at most | ${message.consumer.maxAckPending} |`,
      '',
      '```json',
      JSON.stringify(message.schema, null, 2),
      '```',
      '',
    ].join('\n'),
  );
  return [
    '# Messages',
    '',
    'Generated from `libs/contracts/src/messages` by `npm run docs`.',
    '',
    'A message states that committed rows wait to be processed. Losing a message costs latency, never data: each consumer also finds its work in the database.',
    `A payload that does not match its schema, or whose handler keeps failing, is copied to the stream \`${DEAD_LETTER_STREAM}\` under \`${DEAD_LETTER_SUBJECT_PREFIX}.<message>\` with the reason in its headers.`,
    '',
    ...sections,
  ].join('\n');
}
