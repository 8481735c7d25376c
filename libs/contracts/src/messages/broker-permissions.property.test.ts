import fc from 'fast-check';
import { APP_NAMES, type AppName } from './app-names.ts';
import { buildInboxPrefix, listBrokerPermissions } from './broker-permissions.ts';
import type { MessageContract } from './define-message.ts';

type Facts = Pick<MessageContract, 'name' | 'subject' | 'stream' | 'publishers' | 'consumer'>;

/** Generates arbitrary catalogs: messages of several streams, each with its publishers and its consumer. */
const catalogues = fc
  .array(
    fc.record({
      stream: fc.constantFrom('STEWARD_A', 'STEWARD_B'),
      publishers: fc.subarray([...APP_NAMES], { minLength: 1 }),
      app: fc.constantFrom(...APP_NAMES),
      dropsWaiting: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((drafts) =>
    drafts.map(({ app, dropsWaiting, stream, publishers }, index): Facts => {
      const name = `message-${index}`;
      const limits = { ackWaitSeconds: 30, maxDeliver: 5, maxAckPending: 64 };
      const consumer = { app, durable: `durable_${name}-v1`, dropsWaiting, ...limits };
      return { name, subject: `steward.x.${name}.v1`, stream, publishers, consumer };
    }),
  );
const permit = (app: AppName, catalogue: readonly Facts[]) =>
  listBrokerPermissions(app, Object.fromEntries(catalogue.map((facts) => [facts.name, facts])));

/**
 * Returns whether a pattern matches a subject, as the server does: `*` matches one part of a subject, `>` all remaining
 * parts.
 */
function matches(pattern: string, subject: string): boolean {
  const [parts, own] = [pattern.split('.'), subject.split('.')];
  for (const [index, part] of parts.entries()) {
    if (part === '>') return own.length > index;
    if (own[index] === undefined || (part !== '*' && part !== own[index])) return false;
  }
  return parts.length === own.length;
}

describe('broker permissions, for any catalog (PROC-12)', () => {
  it('let an app publish only its own messages', () => {
    fc.assert(
      fc.property(catalogues, fc.constantFrom(...APP_NAMES), (catalogue, app) => {
        const { publish } = permit(app, catalogue);
        for (const { subject, publishers } of catalogue)
          expect(publish.some((pattern) => matches(pattern, subject))).toBe(publishers.includes(app));
      }),
    );
  });

  it('let an app read and acknowledge only its own consumers', () => {
    fc.assert(
      fc.property(catalogues, fc.constantFrom(...APP_NAMES), (catalogue, app) => {
        const { publish } = permit(app, catalogue);
        for (const { stream, consumer } of catalogue) {
          const subjects = [
            `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer.durable}`,
            `$JS.ACK.${stream}.${consumer.durable}.1.1.1.1.0`,
          ];
          for (const subject of subjects)
            expect(publish.some((pattern) => matches(pattern, subject))).toBe(consumer.app === app);
        }
      }),
    );
  });

  it('let no app change, delete or read a stream except through its consumers', () => {
    fc.assert(
      fc.property(catalogues, fc.constantFrom(...APP_NAMES), (catalogue, app) => {
        const { publish } = permit(app, catalogue);
        for (const stream of ['STEWARD_A', 'STEWARD_B', 'STEWARD_DEAD_LETTER'])
          for (const act of [
            'STREAM.UPDATE',
            'STREAM.DELETE',
            'STREAM.MSG.GET',
            'STREAM.MSG.DELETE',
            'CONSUMER.DELETE',
          ])
            expect(publish.filter((pattern) => matches(pattern, `$JS.API.${act}.${stream}`))).toEqual([]);
      }),
    );
  });

  it('let only the requesting app read its replies', () => {
    for (const app of APP_NAMES) {
      const { subscribe } = permit(app, []);
      for (const other of APP_NAMES)
        expect(subscribe.some((pattern) => matches(pattern, `${buildInboxPrefix(other)}.answer`))).toBe(app === other);
    }
  });

  it('are limited to the server info request for an app that neither publishes nor consumes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...APP_NAMES), (app) => {
        expect(permit(app, []).publish.filter((subject) => subject !== '$JS.API.INFO')).toEqual([]);
      }),
    );
  });
});
