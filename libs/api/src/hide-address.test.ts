import { createSecretBox, sealAddress } from '@steward/crypto';
import { hideAddress, readStored, refuseHidden } from './hide-address.ts';

describe('an address as shown to users who may not change it (ACC-47)', () => {
  it.each([
    ['https://hooks.slack.com/services/T0/B0/secret', 'https://hooks.slack.com/[hidden]'],
    ['https://example.test:8443/?token=x', 'https://example.test:8443/[hidden]'],
    ['https://user:password@example.test/', 'https://example.test/'],
    ['https://example.test', 'https://example.test/'],
    ['https://example.test/#x', 'https://example.test/[hidden]'],
    ['smtp:', 'smtp:'],
    ['no address', 'no address'],
  ])('%s is shown as %s', (address, shown) => expect(hideAddress(address)).toBe(shown));

  it('is read from its row, and shown without its path if its key is lost', () => {
    const address = 'https://hooks.slack.com/services/T0/B0/secret';
    const [own, other] = ['own', 'other'].map((key) => createSecretBox(`${key}-secret-key-for-tests-0123456789`, 'x'));
    const stored = sealAddress(address, 'row', own!);
    expect(readStored(stored, 'row', own!)).toBe(address);
    expect(readStored(stored, 'row', other!)).toBe('https://hooks.slack.com/[hidden]');
    expect(hideAddress(readStored(stored, 'row', other!))).toBe('https://hooks.slack.com/[hidden]');
  });

  it('is refused if it is sent back', () => {
    expect(() => refuseHidden('https://hooks.slack.com/[hidden]', 'url')).toThrow('without its path');
    expect(() => refuseHidden('https://example.test/path', 'url')).not.toThrow();
  });
});
