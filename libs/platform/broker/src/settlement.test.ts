import { PoisonMessage, RetryLater } from './broker-errors.ts';
import { computeDeliveryCeiling, computeRetryDelay, settleFailure } from './settlement.ts';

const retryDelay = (deliveryCount: number) => deliveryCount * 10;
const delivery = (deliveryCount: number) => ({ deliveryCount, maxDeliver: 3, retryDelay });

describe('delay between deliveries', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [6, 32_000],
    [7, 60_000],
    [5000, 60_000],
  ])('after delivery %i it is %i ms', (deliveryCount, expected) => {
    expect(computeRetryDelay(deliveryCount)).toBe(expected);
  });
});

describe('settling a failure', () => {
  it('an ordinary error is retried until the limit of the contract', () => {
    expect(settleFailure(new Error('no'), delivery(1))).toEqual({ kind: 'retry', delayMs: 10 });
    expect(settleFailure(new Error('no'), delivery(2))).toEqual({ kind: 'retry', delayMs: 20 });
    expect(settleFailure(new Error('no'), delivery(3))).toEqual({
      kind: 'dead_letter',
      reason: 'failed 3 times, last error: no',
    });
  });

  it('an invalid message is never retried, and RetryLater never counts as a failure', () => {
    expect(settleFailure(new PoisonMessage('gone'), delivery(1))).toEqual({ kind: 'dead_letter', reason: 'gone' });
    expect(settleFailure(new RetryLater(77), delivery(30))).toEqual({ kind: 'retry', delayMs: 77 });
  });

  it('a thrown value that is not an Error still has a reason', () => {
    expect(settleFailure('plain text', delivery(3))).toMatchObject({
      reason: expect.stringContaining('plain text') as string,
    });
  });

  it('the broker’s maximum number of deliveries is higher than that of failures, because messages may also wait', () => {
    expect(computeDeliveryCeiling(5)).toBe(100);
  });
});
