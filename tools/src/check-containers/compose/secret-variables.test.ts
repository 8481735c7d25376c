import { findSecretVariables } from './secret-variables.ts';

describe('the variables of a container', () => {
  it.each([
    ['SMTP_URL'],
    ['SECRET_KEY'],
    ['DATABASE_URL'],
    ['NATS_URL'],
    ['EVIDENCE_S3_SECRET_ACCESS_KEY'],
    ['POSTGRES_PASSWORD'],
  ])('must not be secret settings, which are provided as files: %s', (name) => {
    expect(findSecretVariables(['PATH', name, `${name}_FILE`])).toEqual([name]);
  });

  it('can be settings that are not secret', () => {
    expect(findSecretVariables(['PATH', 'HOME', 'PUBLIC_URL', 'MAIL_FROM', 'EVIDENCE_DIR', 'POSTGRES_USER'])).toEqual(
      [],
    );
  });
});
