import { EVENT_TYPES, type EventData, type EventType, type TruncatedData as SentTruncated } from '@steward/contracts';
import { isTruncated, type EventDataByType, type TruncatedData } from './events.ts';

type Sent = { [Type in EventType]: EventData<Type> };

describe('the published event types', () => {
  it('are exactly those sent by the service', () => {
    // Compiles only if both types are identical; otherwise the compiler names the type and its field.
    const isPublished = (sent: Sent, truncated: SentTruncated): [EventDataByType, TruncatedData] => [sent, truncated];
    const isSent = (published: EventDataByType, truncated: TruncatedData): [Sent, SentTruncated] => [
      published,
      truncated,
    ];
    expect([isPublished, isSent]).toHaveLength(2);
  });

  it('distinguish truncated data from complete data', () => {
    expect(isTruncated({ truncated: true, reason: 'The event is 70000 bytes.' })).toBe(true);
    expect(isTruncated(EVENT_TYPES['session.ended'].example)).toBe(false);
  });
});
