import type { ClaimedDelivery } from '@steward/webhooks';
import type { Poster } from '../http/create-poster.ts';
import { createPushChannel } from '../push/push-channel.ts';
import { createNoticeChannel } from './notice-channel.ts';

const fail = (): never => {
  throw new Error('not expected');
};
const deps = {
  poster: { post: fail, close: () => Promise.resolve() } as unknown as Poster,
  clock: { now: () => new Date() },
  secretBox: { open: fail },
  publicUrl: 'https://steward.example.test',
} as unknown as Parameters<typeof createPushChannel>[0];

/** A stored event that this release cannot read, as one of a later release might be. */
const claim = { body: Buffer.from('{"type":"budget.threshold","data":null}'), channelKind: 'slack' } as ClaimedDelivery;

describe('a notice that cannot be written', () => {
  it.each([
    ['channel', createNoticeChannel(deps)],
    ['browser', createPushChannel(deps)],
  ])('to a %s is a fault of this service, which does not end its process (HOOK-23)', async (_name, channel) => {
    expect(await channel.attempt(claim, new Date())).toMatchObject({ kind: 'own_fault' });
  });
});
