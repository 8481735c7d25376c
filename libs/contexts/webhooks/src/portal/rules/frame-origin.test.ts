import { isFrameOrigin } from './frame-origin.ts';

describe('origins of pages that may contain the portal (HOOK-56)', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com:8443',
    'https://xn--bcher-kva.example',
    'http://localhost:3000',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
    'https://[2001:db8::1]',
  ])('may be %s', (origin) => {
    expect(isFrameOrigin(origin)).toBe(true);
  });

  it.each([
    '',
    '*',
    'https://*.example.com',
    'https:',
    'http://app.example.com',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/page',
    'https://app.example.com:443',
    'https://APP.example.com',
    'https://user@app.example.com',
    'https://a;script-src',
    'https://a,b',
    "https://'none'",
    'https://a b',
    'https://app.example.com\n',
    'data:text/html,x',
    'null',
    `https://${'a'.repeat(300)}.example`,
  ])('may not be %j', (origin) => {
    expect(isFrameOrigin(origin)).toBe(false);
  });
});
