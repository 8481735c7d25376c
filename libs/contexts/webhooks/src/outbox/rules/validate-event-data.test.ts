import { EVENT_TYPES, type EventType } from '@steward/contracts';
import { validateEventData } from './validate-event-data.ts';

describe('event data', () => {
  it.each(Object.keys(EVENT_TYPES) as EventType[])('%s: the published example is valid', (type) => {
    expect(() => validateEventData(type, EVENT_TYPES[type].example)).not.toThrow();
  });

  it('refuses an unpublished key; the error names the type and not the value', () => {
    const data = { ...EVENT_TYPES['session.ended'].example, surprise: 'canary-value' };
    expect(() => validateEventData('session.ended', data)).toThrow(
      /^event session\.ended: data must NOT have additional/,
    );
    expect(() => validateEventData('session.ended', data)).not.toThrow(/canary/);
  });
});
