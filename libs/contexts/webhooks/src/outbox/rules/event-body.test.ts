import fc from 'fast-check';
import { MAX_EVENT_BYTES } from '@steward/contracts';
import { buildEventBody, type EventFact } from './event-body.ts';

const base: EventFact = {
  id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
  type: 'session.ended',
  accountId: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
  occurredAt: new Date('2026-11-20T09:00:00.123Z'),
  data: {},
};
const emptySize = buildEventBody({ ...base, data: { text: '' } }).bytes.byteLength;

describe('event body', () => {
  it('is one object with exactly the six keys and the event time with its offset (EVT-1, EVT-3)', () => {
    expect(JSON.parse(buildEventBody(base).bytes.toString())).toEqual({
      id: base.id,
      type: 'session.ended',
      version: '1',
      occurred_at: '2026-11-20T09:00:00.123Z',
      account_id: base.accountId,
      data: {},
    });
  });

  it.each([
    ['ASCII', 'a', 1],
    ['two-byte letters', 'é', 2],
    ['astral characters', '😀', 4],
  ])('accepts exactly 65,536 bytes and truncates a body that is one byte longer (%s)', (_name, letter, width) => {
    const room = MAX_EVENT_BYTES - emptySize;
    const fitting = letter.repeat(Math.floor(room / width)) + 'x'.repeat(room % width);
    const whole = buildEventBody({ ...base, data: { text: fitting } });
    expect([whole.bytes.byteLength, whole.truncated]).toEqual([MAX_EVENT_BYTES, false]);
    const cut = buildEventBody({ ...base, data: { text: `${fitting}x` } });
    expect(cut.truncated).toBe(true);
    const parsed = JSON.parse(cut.bytes.toString()) as { data: { truncated: boolean; reason: string } };
    expect(Object.keys(parsed).sort()).toEqual(['account_id', 'data', 'id', 'occurred_at', 'type', 'version']);
    expect(parsed.data).toEqual({ truncated: true, reason: expect.stringContaining('65537 bytes') });
  });

  it('is valid UTF-8 JSON of at most 65,536 bytes for any data', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (data) => {
        const { bytes } = buildEventBody({ ...base, data });
        expect(bytes.byteLength).toBeLessThanOrEqual(MAX_EVENT_BYTES);
        expect(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown).not.toThrow();
      }),
    );
  });
});
