import { secureDatabaseUrl } from './secure-database-url.ts';

const URL_TEXT = 'postgres://app:p%40ss@db.example.test:5432/steward';
const FILES = { caFile: '/etc/tls/ca 1.pem', certFile: '/etc/tls/app.pem', keyFile: '/etc/tls/app.key' };

describe('the database URL with files for TLS', () => {
  it('verifies the server completely and retains login, address and database', () => {
    const secured = new URL(secureDatabaseUrl(URL_TEXT, FILES));
    expect(secured.href.startsWith(URL_TEXT)).toBe(true);
    expect(Object.fromEntries(secured.searchParams)).toEqual({
      sslmode: 'verify-full',
      sslrootcert: FILES.caFile,
      sslcert: FILES.certFile,
      sslkey: FILES.keyFile,
    });
  });

  it('is unchanged without files', () => {
    expect(secureDatabaseUrl(`${URL_TEXT}?sslmode=no-verify`, {})).toBe(`${URL_TEXT}?sslmode=no-verify`);
  });

  it.each(['disable', 'no-verify', 'prefer'])('is refused if sslmode=%s contradicts the files', (mode) => {
    expect(() => secureDatabaseUrl(`${URL_TEXT}?sslmode=${mode}`, FILES)).toThrow(`sslmode=${mode}`);
  });
});
