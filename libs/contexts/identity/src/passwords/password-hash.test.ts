import { hashPassword, verifyNobody, verifyPassword } from './password-hash.ts';

describe('password hash', () => {
  it('uses 32 MiB, as recorded in the hash (ACC-7)', async () => {
    expect(await hashPassword('correct horse battery staple')).toMatch(/^scrypt\$32768\$8\$1\$/);
  });

  it('accepts only the password that was hashed', async () => {
    const hash = await hashPassword('correct horse battery staple');
    expect(await verifyPassword('correct horse battery staple', hash)).toBe(true);
    expect(await verifyPassword('correct horse battery stapl', hash)).toBe(false);
  });

  it('uses a salt: hashing the same password twice gives two hashes, neither of which contains the password', async () => {
    const [first, second] = await Promise.all([hashPassword('same password'), hashPassword('same password')]);
    expect(first).not.toBe(second);
    expect(first).not.toContain('same password');
  });

  it('treats both encodings of a composed character as one password', async () => {
    expect(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
  });

  it('never matches a malformed or missing hash', async () => {
    expect(await verifyPassword('x', 'plain$x')).toBe(false);
    expect(await verifyNobody('x')).toBe(false);
  });
});
