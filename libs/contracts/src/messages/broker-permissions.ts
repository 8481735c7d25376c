import { APP_NAMES } from './app-names.ts';
import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX, MESSAGES } from './catalogue.ts';
import type { MessageContract } from './define-message.ts';

/** What a user of the broker may do: subjects in NATS notation. */
export interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Who logs in at the broker: every app under its own name, and the person or step that sets it up. */
export const BROKER_USERS = [...APP_NAMES, 'operator'] as const;
export type BrokerUser = (typeof BROKER_USERS)[number];

type Facts = Pick<MessageContract, 'name' | 'subject' | 'stream' | 'publishers' | 'consumer'>;

/** Where the answers to an app's requests go: a prefix of its own, so that nobody reads those of another app. */
export function buildInboxPrefix(user: string): string {
  return `_INBOX.${user}`;
}

/**
 * What a user of the broker may do. The operator may do everything: he sets it up, changes streams and reads dead letters. An app
 * has what it needs and nothing else, derived from the catalogue. It may create a stream that is missing (a broker that lost its store
 * heals by itself), since creating cannot change one that exists. Changing, deleting and reading streams are the operator's: with a
 * stream's configuration messages can be copied from and to any subject, past these permissions.
 */
export function listBrokerPermissions(
  user: BrokerUser,
  catalogue: Readonly<Record<string, Facts>> = MESSAGES,
): BrokerPermissions {
  if (user === 'operator') return { publish: ['>'], subscribe: ['>'] };
  const contracts = Object.values(catalogue);
  const consumed = contracts.filter(({ consumer }) => consumer.app === user);
  const published = contracts.filter(({ publishers }) => publishers.includes(user));
  const streams = new Set([...published, ...consumed].map(({ stream }) => stream));
  if (consumed.length > 0) streams.add(DEAD_LETTER_STREAM);
  return {
    publish: [
      '$JS.API.INFO',
      ...[...streams].flatMap((stream) => [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`]),
      ...published.map(({ subject }) => subject),
      ...consumed.flatMap(listConsumerSubjects),
    ],
    subscribe: [`${buildInboxPrefix(user)}.>`],
  };
}

function listConsumerSubjects({ name, subject, stream, consumer }: Facts): string[] {
  const place = `${stream}.${consumer.durable}`;
  return [
    `$JS.API.CONSUMER.INFO.${place}`,
    // With the filter in the subject, so that the durable cannot be pointed at anything else.
    `$JS.API.CONSUMER.CREATE.${place}.${subject}`,
    `$JS.API.CONSUMER.MSG.NEXT.${place}`,
    ...(consumer.dropsWaiting === true ? [`$JS.API.STREAM.PURGE.${stream}`] : []),
    `$JS.ACK.${place}.>`,
    // As newer servers may write it: with domain and account in front.
    `$JS.ACK.*.*.${place}.>`,
    `${DEAD_LETTER_SUBJECT_PREFIX}.${name}`,
  ];
}
