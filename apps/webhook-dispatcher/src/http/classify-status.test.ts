import { classifyStatus } from './classify-status.ts';

describe('the error of a failed attempt', () => {
  it('distinguishes redirects from other responses', () => {
    expect(classifyStatus(302)).toEqual({ errorClass: 'redirect', error: 'HTTP 302: redirects are not followed' });
    expect(classifyStatus(500)).toEqual({ errorClass: 'http_status', error: 'HTTP 500' });
  });
});
