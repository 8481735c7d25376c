import { locateObject } from './locate-object.ts';

describe('the URL of an object', () => {
  it.each([
    [true, 'https://s3.example.test', 'https://s3.example.test/evidence/of/eu/a/1.tar.gz'],
    [true, 'https://s3.example.test:9000/base/', 'https://s3.example.test:9000/base/evidence/of/eu/a/1.tar.gz'],
    [false, 'https://s3.eu-central-1.example.test', 'https://evidence.s3.eu-central-1.example.test/of/eu/a/1.tar.gz'],
  ])('contains the bucket in the path: %s, at %s', (pathStyle, endpoint, address) => {
    const place = { endpoint, bucket: 'evidence', prefix: 'of/eu/', pathStyle };
    expect(locateObject(place, 'a/1.tar.gz').href).toBe(address);
  });

  it('is the URL of the bucket if there is no key', () => {
    const place = { endpoint: 'https://s3.example.test', bucket: 'evidence', prefix: 'of/' };
    expect(locateObject({ ...place, pathStyle: true }, undefined, { prefix: 'of/' }).href).toBe(
      'https://s3.example.test/evidence?prefix=of%2F',
    );
    expect(locateObject({ ...place, pathStyle: false }, undefined).href).toBe('https://evidence.s3.example.test/');
  });
});
