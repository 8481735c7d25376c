import { createSecretBox } from './secret-box.ts';
import { findOrigin, openAddress, readAddressOrigin, sealAddress, tryOpenAddress } from './stored-address.ts';

const box = createSecretBox('a secret key of the deployment', 'webhook-endpoint');
const ADDRESS = 'https://user:canary-user@hooks.example.test:8443/services/canary-path?token=canary-query';

describe('a stored address (ACC-48)', () => {
  it('shows only its origin, and can be decrypted only in its own row', () => {
    const stored = sealAddress(ADDRESS, 'row 1', box);
    expect({ ...stored, sealed: undefined }).toEqual({ url: null, origin: 'https://hooks.example.test:8443' });
    expect(stored.sealed.toString('latin1')).not.toContain('canary');
    expect(openAddress(stored, 'row 1', box)).toBe(ADDRESS);
    expect(findOrigin(stored)).toBe('https://hooks.example.test:8443');
    expect(() => openAddress(stored, 'row 2', box)).toThrow();
    expect(tryOpenAddress(stored, 'row 2', box)).toBeUndefined();
  });

  it('is read unencrypted while an address stored by an earlier release remains', () => {
    const { sealed, origin } = sealAddress(ADDRESS, 'row 1', box);
    const stored = { url: 'https://newer.example.test/x', sealed, origin };
    expect(openAddress(stored, 'row 1', box)).toBe('https://newer.example.test/x');
    expect(findOrigin(stored)).toBe('https://newer.example.test');
    expect(() => openAddress({ url: null, sealed: null, origin: null }, 'row 1', box)).toThrow('without an address');
  });

  it.each(['no address', '', 'smtp:', 'mailto:canary@example.test'])('has no origin for %j', (text) => {
    expect(readAddressOrigin(text)).toBe('');
  });
});
