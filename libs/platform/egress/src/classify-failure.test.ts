import { classifyFailure } from './classify-failure.ts';
import { TargetBlockedError } from './guarded-connector.ts';

const withCode = (code: string) => Object.assign(new Error('canary https://user:secret@host/path'), { code });

describe('the reason why a request got no response', () => {
  it.each([
    ['ENOTFOUND', 'dns_error'],
    ['EAI_AGAIN', 'dns_error'],
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_lost'],
    ['UND_ERR_SOCKET', 'connection_lost'],
    ['ETIMEDOUT', 'connect_timeout'],
    ['ENETUNREACH', 'network_unreachable'],
    ['CERT_HAS_EXPIRED', 'tls_error'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_error'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_error'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'tls_error'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol_error'],
    ['E_SOMETHING_NEW', 'network_error'],
  ])('for %s is %s, without any word of the original message', (code, errorClass) => {
    const failure = classifyFailure(withCode(code));
    expect(failure.errorClass).toBe(errorClass);
    expect(failure.error).not.toContain('canary');
  });

  it('is taken from the errors of all tried addresses and from causes', () => {
    const tried = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
    expect(classifyFailure(tried).errorClass).toBe('connection_refused');
    const wrapped = new Error('outer', { cause: new TargetBlockedError('loopback') });
    expect(classifyFailure(wrapped)).toEqual({ errorClass: 'target_blocked', error: 'the target address is loopback' });
  });
});
