import { APP_NAMES, type AppName } from './app-names.ts';
import { BROKER_USERS, listBrokerPermissions } from './broker-permissions.ts';
import { DEAD_LETTER_STREAM, MESSAGES } from './catalogue.ts';

const contracts = Object.values(MESSAGES);
const mayPublish = (app: AppName, subject: string) => listBrokerPermissions(app).publish.includes(subject);

describe('broker permissions', () => {
  it('include exactly what the consumer of one message needs', () => {
    expect(listBrokerPermissions('search-indexer')).toEqual({
      publish: [
        '$JS.API.INFO',
        '$JS.API.STREAM.INFO.STEWARD_SEARCH',
        '$JS.API.STREAM.CREATE.STEWARD_SEARCH',
        '$JS.API.STREAM.INFO.STEWARD_DEAD_LETTER',
        '$JS.API.STREAM.CREATE.STEWARD_DEAD_LETTER',
        '$JS.API.CONSUMER.INFO.STEWARD_SEARCH.indexer_chunk-written-v1',
        '$JS.API.CONSUMER.CREATE.STEWARD_SEARCH.indexer_chunk-written-v1.steward.search.chunk-written.v1',
        '$JS.API.CONSUMER.MSG.NEXT.STEWARD_SEARCH.indexer_chunk-written-v1',
        '$JS.ACK.STEWARD_SEARCH.indexer_chunk-written-v1.>',
        '$JS.ACK.*.*.STEWARD_SEARCH.indexer_chunk-written-v1.>',
        'steward.dead-letter.chunk-written',
      ],
      subscribe: ['_INBOX.search-indexer.>'],
    });
  });

  it('include exactly what the publisher of one message needs', () => {
    expect(listBrokerPermissions('backfill-sweeper')).toEqual({
      publish: [
        '$JS.API.INFO',
        '$JS.API.STREAM.INFO.STEWARD_SEARCH',
        '$JS.API.STREAM.CREATE.STEWARD_SEARCH',
        'steward.search.chunk-written.v1',
      ],
      subscribe: ['_INBOX.backfill-sweeper.>'],
    });
  });

  it.each(contracts)('let only its publishers publish $name', ({ subject, publishers }) => {
    expect(APP_NAMES.filter((app) => mayPublish(app, subject)).sort()).toEqual([...publishers].sort());
  });

  it.each(APP_NAMES)(
    'prevent %s from changing or deleting a stream, and from reading one except through its consumers',
    (app) => {
      const { publish, subscribe } = listBrokerPermissions(app);
      expect(
        publish.filter((subject) => /UPDATE|DELETE|MSG\.GET|DIRECT|LIST|NAMES|SNAPSHOT|RESTORE/.test(subject)),
      ).toEqual([]);
      expect(publish.filter((subject) => subject.includes('*') && !subject.startsWith('$JS.ACK.*.*.'))).toEqual([]);
      expect(publish.filter((subject) => subject.endsWith('>') && !subject.startsWith('$JS.ACK.'))).toEqual([]);
      expect(subscribe).toEqual([`_INBOX.${app}.>`]);
    },
  );

  it('let only the consumer of a message that allows it delete unread messages', () => {
    const allowed = APP_NAMES.flatMap((app) =>
      listBrokerPermissions(app).publish.filter((each) => each.includes('PURGE')),
    );
    expect(allowed).toEqual([`$JS.API.STREAM.PURGE.${MESSAGES['event-emitted'].stream}`]);
    expect(allowed).not.toContain(`$JS.API.STREAM.PURGE.${DEAD_LETTER_STREAM}`);
  });

  it('are unlimited for the operator, which is a separate user', () => {
    expect(BROKER_USERS).toEqual([...APP_NAMES, 'operator']);
    expect(listBrokerPermissions('operator')).toEqual({ publish: ['>'], subscribe: ['>'] });
  });
});
