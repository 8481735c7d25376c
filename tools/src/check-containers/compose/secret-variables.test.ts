import { findSecretVariables } from './secret-variables.ts';

describe('the variables of a container', () => {
  it.each([
    ['SMTP_URL'],
    ['SECRET_KEY'],
    ['DATABASE_URL'],
    ['NATS_URL'],
    ['EVIDENCE_S3_SECRET_ACCESS_KEY'],
    ['POSTGRES_PASSWORD'],
  ])('cannot be a secret setting, which is provided as a file: %s', (name) => {
    expect(findSecretVariables(['PATH', name, `${name}_FILE`])).toEqual([name]);
  });

  it('can be any setting that is not secret', () => {
    expect(findSecretVariables(['PATH', 'HOME', 'PUBLIC_URL', 'MAIL_FROM', 'EVIDENCE_DIR', 'POSTGRES_USER'])).toEqual(
      [],
    );
  });
});
