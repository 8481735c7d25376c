import { EVENT_TYPES, type EventData, type EventType, type TruncatedData as SentTruncated } from '@steward/contracts';
import { isTruncated, type EventDataByType, type TruncatedData, type WebhookEventType } from './events.ts';

/** Compiles only while both are the same in both directions. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

describe('the published event types', () => {
  it('are exactly those the service sends', () => {
    const sameNames: Same<WebhookEventType, EventType> = true;
    const sameTruncation: Same<TruncatedData, SentTruncated> = true;
    const sameData: { [Type in EventType]: Same<EventDataByType[Type], EventData<Type>> } = {
      'approval.created': true,
      'approval.decided': true,
      'policy.denied': true,
      'session.ended': true,
      'budget.threshold': true,
      'budget.exceeded': true,
      'flow.execution.finished': true,
      'agent.note_sent': true,
      'agent.note_delivered': true,
      'cra.reportable_vulnerability': true,
      'agent.discovered': true,
      'agent.onboarded': true,
      'webhook.test': true,
    };
    expect([sameNames, sameTruncation]).toEqual([true, true]);
    expect(Object.keys(sameData).sort()).toEqual(Object.keys(EVENT_TYPES).sort());
  });

  it('tell data that was too large from data that was sent', () => {
    expect(isTruncated({ truncated: true, reason: 'The event is 70000 bytes.' })).toBe(true);
    expect(isTruncated(EVENT_TYPES['session.ended'].example)).toBe(false);
  });
});
