import { MESSAGES } from './catalogue.ts';

const contracts = Object.values(MESSAGES);

describe('message catalog', () => {
  it.each(contracts)(
    '$name: the subject contains name and version, so that a breaking change is a new subject',
    (contract) => {
      expect(contract.subject).toMatch(new RegExp(`^steward\\.[a-z]+\\.${contract.name}\\.v${contract.version}$`));
    },
  );

  it.each(contracts)('$name: stream and durable names are valid on every supported server', (contract) => {
    expect(contract.stream).toMatch(/^[A-Z_]{1,31}$/);
    expect(contract.consumer.durable).toMatch(/^[a-z0-9_-]{1,31}$/);
  });

  it('gives each message its own durable consumer', () => {
    expect(new Set(contracts.map((contract) => contract.consumer.durable)).size).toBe(contracts.length);
  });

  it('distinguishes a replay from the original delivery of an event', () => {
    const first = { account_id: 'a', event_id: 'e', event_type: 'session.ended', generation: 1, delivery_count: 1 };
    const { messageId } = MESSAGES['event-emitted'];
    expect(messageId(first)).not.toBe(messageId({ ...first, generation: 2 }));
    expect(messageId(first)).toBe(messageId({ ...first }));
  });
});
