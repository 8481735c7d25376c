import { APP_NAMES } from './app-names.ts';
import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX, MESSAGES } from './catalogue.ts';
import type { MessageContract } from './define-message.ts';

/** Permissions of a broker user: subjects in NATS notation. */
export interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Users of the broker: every app, under its own name, and the operator, who sets up the broker. */
export const BROKER_USERS = [...APP_NAMES, 'operator'] as const;
export type BrokerUser = (typeof BROKER_USERS)[number];

type Facts = Pick<MessageContract, 'name' | 'subject' | 'stream' | 'publishers' | 'consumer'>;

/** Returns the subject prefix of the replies to an app's requests; no other app may read these replies. */
export function buildInboxPrefix(user: string): string {
  return `_INBOX.${user}`;
}

/**
 * Returns the permissions of a broker user. The operator has all permissions, in order to set up the broker, change
 * streams and read dead letters. An app has only the permissions that it needs, derived from the catalog. An app may
 * create a missing stream, so that a broker that has lost its data recovers; this permission does not allow an app to
 * change an existing stream. Only the operator may change or delete streams, or read them without a consumer: a changed
 * configuration could copy messages from and to any subject, bypassing these permissions. An app whose consumer has
 * `dropsWaiting` may also purge the stream.
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
    // The subject of the request contains the filter, so that the durable consumer cannot be created for any other
    // subject.
    `$JS.API.CONSUMER.CREATE.${place}.${subject}`,
    `$JS.API.CONSUMER.MSG.NEXT.${place}`,
    ...(consumer.dropsWaiting === true ? [`$JS.API.STREAM.PURGE.${stream}`] : []),
    `$JS.ACK.${place}.>`,
    // Newer servers use this format, in which domain and account precede the stream.
    `$JS.ACK.*.*.${place}.>`,
    `${DEAD_LETTER_SUBJECT_PREFIX}.${name}`,
  ];
}
