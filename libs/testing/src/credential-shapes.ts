import { addOwnShapes } from './own-credential-shapes.ts';
import { createShapeWriter, DIGITS, LETTERS, LOWER, UPPER, type CredentialShape } from './shape-writer.ts';

export type { CredentialShape };

/**
 * Lists many kinds of credentials that agents encounter, with values from the given seed. The values are generated
 * here: no text in the repository has the shape of a credential, and none of the values was ever a real credential.
 */
export function listCredentialShapes(seed = 1): readonly CredentialShape[] {
  const writer = createShapeWriter(seed);
  const { shapes, add, token, draw, hex, b62, u64, b64, digits, uuid, password } = writer;

  // Model providers.
  token('openai project key', 'sk-' + 'proj-', `${u64(74)}T3Blbk` + `FJ${u64(74)}`);
  token('openai key', 'sk-', b62(48));
  token('openai service account key', 'sk-' + 'svcacct-', u64(120));
  token('anthropic key', 'sk-' + 'ant-api03-', `${u64(93)}AA`);
  token('anthropic admin key', 'sk-' + 'ant-admin01-', `${u64(93)}AA`);
  token('openrouter key', 'sk-' + 'or-v1-', hex(64));
  token('hugging face token', 'hf' + '_', draw(LETTERS + DIGITS, 34));
  token('replicate token', 'r8' + '_', b62(37));
  token('groq key', 'gsk' + '_', b62(52));
  token('xai key', 'xai' + '-', b62(80));
  token('perplexity key', 'pplx' + '-', b62(48));
  token('langsmith key', 'lsv2' + '_pt_', `${hex(32)}_${hex(10)}`);
  token('pinecone key', 'pcsk' + '_', u64(60));
  token('elevenlabs key', 'sk' + '_', hex(48));
  add('cohere key', b62(40), (value) => `COHERE_API_KEY=${value}`);
  // Code hosts.
  for (const start of ['ghp', 'gho', 'ghu', 'ghs', 'ghr']) token(`github ${start}`, `${start}_`, b62(36));
  token('github fine-grained token', 'github' + '_pat_', `${b62(22)}_${b62(59)}`);
  for (const start of ['glpat', 'gldt', 'glrt', 'glft', 'glsoat', 'glffct', 'glimt'])
    token(`gitlab ${start}`, `${start}-`, u64(20));
  token('gitlab trigger token', 'glptt' + '-', hex(40));
  token('gitlab job token', 'glcbt' + '-', `64_${u64(20)}`);
  token('gitlab runner registration', 'GR' + '1348941', u64(20));
  token('gitlab agent token', 'glagent' + '-', u64(50));
  token('atlassian token', 'ATATT' + '3', `${u64(180)}=${draw(UPPER, 8)}`);
  token('bitbucket app password', 'ATBB', b62(32));
  token('sourcegraph token', 'sgp' + '_', hex(40));
  token('buildkite token', 'bkua' + '_', hex(40));
  token('circleci token', 'CCIPAT' + '_', `${b62(22)}_${hex(40)}`);
  token('sonar token', 'squ' + '_', hex(40));
  token('postman key', 'PMAK' + '-', `${hex(24)}-${hex(34)}`);
  token('octopus key', 'API' + '-', draw(UPPER, 26));
  token('pulumi token', 'pul' + '-', hex(40));
  token('prefect key', 'pnu' + '_', b62(36));
  token('readme key', 'rdme' + '_', draw(LOWER + DIGITS, 70));
  // Registries.
  token('npm token', 'npm' + '_', b62(36));
  add('npmrc token', uuid(), (value) => `//registry.npmjs.org/:_authToken=${value}`);
  add('short npmrc token', b62(12), (value) => `//npm.example.com/:_authToken = "${value}"`);
  add('npmrc token for all', b64(20), (value) => `_auth=${value}`);
  add('npmrc token of a registry', b64(24), (value) => `//npm.example.com/:_auth=${value}==`);
  add('npmrc password', b64(20), (value) => `//npm.example.com/:_password=${value}`);
  add('npm config set', b62(16), (value) => `npm config set //npm.example.com/:_authToken ${value}`);
  add('npm variable', b64(24), (value) => `NPM_CONFIG__AUTH=${value}`);
  add('npmrc as JSON', b64(24), (value) => `{"_auth": "${value}", "always-auth": true}`);
  add('yarn settings', `user:${b62(12)}`, (value) => `npmAuthIdent: "${value}"`);
  token('pypi token', 'pypi' + '-AgEIcHlwaS5vcmc', u64(120));
  token('rubygems key', 'rubygems' + '_', hex(48));
  token('docker hub token', 'dckr' + '_pat_', u64(27));
  add(
    'docker config',
    Buffer.from(`bot:${password()}`).toString('base64'),
    (value) => `{"auths":{"https://index.docker.io/v1/":{"auth":"${value}"}}}`,
  );
  token('crates token', 'cio', b62(32));
  token('nuget key', 'oy2', draw(LOWER + DIGITS, 43));
  token('artifactory key', 'AKCp', b62(69));
  token('clojars token', 'CLOJARS' + '_', hex(60));
  // Cloud providers.
  token('aws access key', 'AKIA', draw('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16));
  token('aws temporary access key', 'ASIA', draw('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16));
  add('aws secret without a label', b64(40));
  add('aws secret in a variable', b64(40), (value) => `export AWS_SECRET_ACCESS_KEY=${value}`);
  add('aws secret in a profile', b64(40), (value) => `[default]\naws_secret_access_key = ${value}`);
  add('aws secret on a command line', b64(40), (value) => `aws configure set aws_secret_access_key ${value}`);
  add('aws session token', b64(200), (value) => `AWS_SESSION_TOKEN=${value}`);
  add(
    'presigned url',
    hex(64),
    (value) => `https://b.s3.amazonaws.com/k?X-Amz-Date=20261101T000000Z&X-Amz-Signature=${value}`,
  );
  add(
    'signed url of google',
    hex(64),
    (value) => `https://storage.googleapis.com/b/k?X-Goog-Expires=60&X-Goog-Signature=${value}`,
  );
  token('bedrock key', 'ABSK', b64(120));
  token('google api key', 'AIza', u64(35));
  token('google client secret', 'GOCSPX' + '-', u64(28));
  token('google refresh token', '1//0' + 'g', u64(60));
  token('google access token', 'ya29' + '.', u64(80));
  add('oauth code', `4/0A${u64(40)}`, (value) => `https://app.example.com/callback?state=x&code=${value}&scope=email`);
  add(
    'azure sas',
    encodeURIComponent(`${b64(43)}=`),
    (value) => `https://a.blob.core.windows.net/c?sv=2022-11-02&ss=b&sig=${value}`,
  );
  add(
    'azure account key',
    `${b64(86)}==`,
    (value) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${value};EndpointSuffix=core.windows.net`,
  );
  add(
    'azure shared access key',
    `${b64(43)}=`,
    (value) => `Endpoint=sb://b.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${value}`,
  );
  add('azure client secret', `${b62(3)}8Q~${u64(34)}`, (value) => `client: ${value}`);
  add('az login', password(), (value) => `az login --service-principal -u 0f0f -p ${value} --tenant t`);
  token('alibaba key', 'LTAI', b62(20));
  token('digitalocean token', 'dop' + '_v1_', hex(64));
  token('heroku key', 'HRKU' + '-AA', u64(58));
  add('heroku api key', uuid(), (value) => `HEROKU_API_KEY=${value}`);
  token('fly token', 'fo1' + '_', u64(43));
  add('cloudflare token', u64(40), (value) => `CLOUDFLARE_API_TOKEN=${value}`);
  token('cloudflare origin key', 'v1.0' + '-', `${hex(24)}-${hex(146)}`);
  token('netlify token', 'nfp' + '_', b62(36));
  token('render key', 'rnd' + '_', b62(28));
  token('tailscale key', 'tskey' + '-auth-', `${b62(12)}-${b62(32)}`);
  token('openshift token', 'sha256' + '~', u64(43));
  token('doppler token', 'dp' + '.pt.', b62(43));
  token('vault token', 'hvs' + '.', u64(95));
  token('old vault token', 's' + '.', b62(24));
  token('terraform token', b62(14), `.atlasv1` + `.${u64(67)}`);
  token('age key', 'AGE-SECRET' + '-KEY-1', draw('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58));
  token('1password token', 'ops' + '_eyJ', b64(260));
  add('kubeconfig', b64(400), (value) => `    client-certificate: a\n    client-key-data: ${value}`);
  // Databases.
  token('databricks token', 'dapi', hex(32));
  token('supabase token', 'sbp' + '_', hex(40));
  token('planetscale token', 'pscale' + '_tkn_', u64(43));
  token('planetscale password', 'pscale' + '_pw_', u64(43));
  token('neon key', 'napi' + '_', b62(60));
  token('airtable token', 'pat', `${b62(14)}.${hex(64)}`);
  add('algolia admin key', hex(32), (value) => `ALGOLIA_ADMIN_KEY=${value}`);
  add('pgpass', password(), (value) => `db.example.com:5432:app:app:${value}`);
  add('postgres url', password(), (value) => `postgres://app:${value}@db.example.com:5432/app`);
  add('redis url', b62(24), (value) => `redis://:${value}@cache:6379/0`);
  add('mongodb url', b62(16), (value) => `mongodb+srv://app:${value}@c0.example.net/x?retryWrites=true`);
  add('amqp url', b62(16), (value) => `amqps://app:${value}@mq/vhost`);
  add('jdbc url', b62(16), (value) => `jdbc:mysql://db/app?user=app&password=${value}&useSSL=true`);
  add('ado.net string', password(), (value) => `Server=db;Database=app;User Id=sa;Password=${value};Encrypt=true`);
  add('libpq string', b62(12), (value) => `host=db user=app password=${value} dbname=app`);
  // Monitoring.
  token('grafana service token', 'glsa' + '_', `${b62(32)}_${hex(8)}`);
  token('grafana cloud token', 'glc' + '_', `${b64(80)}=`);
  token('sentry org token', 'sntrys' + '_', `${b64(120)}_${b64(43)}`);
  token('sentry user token', 'sntryu' + '_', hex(64));
  add('sentry dsn', hex(32), (value) => `SENTRY_DSN=https://${value}@o12.ingest.sentry.io/34`);
  token('new relic user key', 'NRAK' + '-', draw(UPPER, 27));
  token('new relic license', hex(36), 'NRAL');
  token('dynatrace token', 'dt0c01' + '.', `${draw(UPPER, 24)}.${draw(UPPER, 64)}`);
  add('datadog key', hex(32), (value) => `DD_API_KEY=${value}`);
  token('posthog key', 'phx' + '_', b62(43));
  token('honeycomb key', 'hcaik' + '_', draw(LOWER + DIGITS, 58));
  // Chat, mail, work.
  token('slack bot token', 'xoxb' + '-', `${digits(12)}-${digits(12)}-${b62(24)}`);
  token('slack user token', 'xoxp' + '-', `${digits(12)}-${digits(12)}-${digits(12)}-${hex(32)}`);
  token('slack app token', 'xapp' + '-', `1-A${draw(UPPER, 10)}-${digits(13)}-${hex(64)}`);
  add(
    'slack webhook',
    `T${draw(UPPER, 8)}/B${draw(UPPER, 8)}/${b62(24)}`,
    (value) => `https://hooks.slack.com/services/${value}`,
  );
  add('discord webhook', u64(68), (value) => `https://discord.com/api/webhooks/${digits(18)}/${value}`);
  token('discord bot token', `MT${b62(24)}`, `.${u64(6)}.${u64(38)}`);
  add('telegram bot token', `${digits(10)}:AA${u64(33)}`);
  add('telegram url', `${digits(10)}:AA${u64(33)}`, (value) => `https://api.telegram.org/bot${value}/getMe`);
  add(
    'teams webhook',
    `${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
    (value) => `https://acme.webhook.office.com/webhookb2/${value}`,
  );
  token('twilio key', 'SK', hex(32));
  add('twilio auth token', hex(32), (value) => `TWILIO_AUTH_TOKEN=${value}`);
  token('sendgrid key', 'SG' + '.', `${u64(22)}.${u64(43)}`);
  token('mailgun key', 'key' + '-', hex(32));
  token('mailgun signing key', hex(32), `-${hex(8)}-${hex(8)}`);
  token('mailchimp key', hex(32), '-us12');
  token('brevo key', 'xkeysib' + '-', `${hex(64)}-${b62(16)}`);
  token('resend key', 're' + '_', `${b62(8)}_${b62(24)}`);
  const base32 = (length: number): string => draw('abcdefghijklmnopqrstuvwxyz234567', length);
  add('azure devops token in a variable', base32(52), (value) => `AZURE_DEVOPS_EXT_PAT=${value}`);
  add('azure devops token', base32(52), (value) => `echo ${value} | az devops login`);
  add('azure devops url', base32(52), (value) => `git clone https://pat:${value}@dev.azure.com/acme/app/_git/app`);
  token('new azure devops token', `${b62(52)}JQQJ99`, `${b62(18)}AZDO${b62(4)}`);
  add('new azure devops token in YAML', `${b62(76)}AZDO${b62(4)}`, (value) => `SYSTEM_ACCESSTOKEN: ${value}`);
  add('azure storage key', `${b64(75)}a+ASt${b62(5)}A==`, (value) => `key ${value}`);
  token('azure functions key', `${b62(44)}AzFu`, `${b62(5)}A==`);
  token('azure search key', `${b62(42)}AzSe`, `A${b62(5)}`);
  const ngrok = (): string => `2${b62(26)}_5${b62(20)}`;
  const oldNgrok = (): string => `4nq9${b62(15)}_${b62(20)}`;
  add('ngrok command', ngrok(), (value) => `ngrok config add-authtoken ${value}`);
  add('ngrok command of old', oldNgrok(), (value) => `ngrok authtoken ${value}`);
  add('ngrok settings', oldNgrok(), (value) => `version: "2"\nauthtoken: ${value}`);
  add('ngrok variable', oldNgrok(), (value) => `docker run -e NGROK_AUTHTOKEN=${value} ngrok/ngrok http 80`);
  add('ngrok call', ngrok(), (value) => `await ngrok.connect({ addr: 80, authtoken: '${value}' })`);
  token('ngrok token alone', ngrok(), '');
  token('cloudflare account token', 'cfat' + '_', b62(48));
  token('linear key', 'lin' + '_api_', b62(40));
  token('notion token', 'ntn' + '_', `${digits(11)}${b62(35)}`);
  token('old notion token', 'secret' + '_', b62(43));
  token('figma token', 'figd' + '_', u64(40));
  token('hubspot token', 'pat' + '-na1-', uuid());
  token('contentful token', 'CFPAT' + '-', u64(43));
  token('typeform token', 'tfp' + '_', u64(59));
  // Payment.
  token('stripe key', 'sk' + '_live_', b62(24));
  token('stripe restricted key', 'rk' + '_live_', b62(99));
  token('stripe webhook secret', 'whsec' + '_', b62(32));
  token('square token', 'sq0atp' + '-', u64(22));
  token('square access token', 'EAAA', u64(60));
  token('shopify token', 'shpat' + '_', hex(32));
  token('paypal token', 'access' + '_token$production$', `${draw(LOWER + DIGITS, 16)}$${hex(32)}`);
  token('razorpay key', 'rzp' + '_live_', b62(14));
  token('easypost key', 'EZAK', b62(54));
  addOwnShapes(writer);
  // Tokens and keys that belong to no service.
  token('jwt', 'eyJ' + `${b62(33)}.`, `eyJ${b62(80)}.${u64(43)}`);
  const pem = `MII${b64(60)}\n${b64(64)}\n${b64(64)}\n${b64(40)}`;
  for (const kind of ['RSA ', 'EC ', '', 'OPENSSH ', 'ENCRYPTED ']) {
    add(
      `${kind}private key`,
      pem.split('\n')[1] ?? '',
      () => `-----BEGIN ${kind}PRIVATE KEY-----\n${pem}\n-----END ${kind}PRIVATE KEY-----`,
    );
  }
  add(
    'pgp private key',
    pem.split('\n')[2] ?? '',
    () => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${pem}\n-----END PGP PRIVATE KEY BLOCK-----`,
  );
  add(
    'private key on one line',
    pem.split('\n')[1] ?? '',
    () =>
      `"private_key": "-----BEGIN PRIVATE KEY-----\\n${pem.replaceAll('\n', '\\n')}\\n-----END PRIVATE KEY-----\\n"`,
  );
  // Headers.
  add('authorization bearer', u64(40), (value) => `Authorization: Bearer ${value}`);
  add(
    'authorization basic',
    Buffer.from(`u:${password()}`).toString('base64'),
    (value) => `Authorization: Basic ${value}`,
  );
  add('authorization token', hex(40), (value) => `Authorization: Token ${value}`);
  add('authorization without scheme', u64(40), (value) => `curl -H "Authorization: ${value}" https://x`);
  add('api key header', b62(32), (value) => `X-Api-Key: ${value}`);
  add('private token header', u64(24), (value) => `PRIVATE-TOKEN: ${value}`);
  add('vault header', u64(24), (value) => `X-Vault-Token: ${value}`);
  add('cookie', u64(32), (value) => `Cookie: theme=dark; session=${value}`);
  add('set-cookie', u64(32), (value) => `Set-Cookie: sid=${value}; Path=/; HttpOnly`);
  // Commands and files.
  add('curl -u', password(), (value) => `curl -s -u admin:${value} https://api.example.com/x`);
  add('curl --user', password(), (value) => `curl --user "admin:${value}" https://api.example.com/x`);
  add('curl -b', u64(32), (value) => `curl -b "session=${value}" https://api.example.com/x`);
  add('mysql -p', password(), (value) => `mysql -h db -u root -p${value} app`);
  add('sshpass', password(), (value) => `sshpass -p '${value}' ssh root@host`);
  add('redis-cli', b62(20), (value) => `redis-cli -h cache -a ${value} ping`);
  add('docker login', b62(20), (value) => `docker login -u bot -p ${value} registry.example.com`);
  add('long flag', password(), (value) => `psql-tool --db-password ${value} --verbose`);
  add('netrc', password(), (value) => `machine api.example.com\n  login bot\n  password ${value}`);
  add('laravel key', `base64:${b64(43)}=`, (value) => `APP_KEY=${value}`);
  add('rails key', hex(128), (value) => `SECRET_KEY_BASE=${value}`);
  add('django key', b62(50), (value) => `SECRET_KEY = '${value}'`);
  add('environment password', password(), (value) => `DB_PASSWORD=${value}`);
  add('environment password without separator', password(), (value) => `PGPASSWORD=${value} psql`);
  add('yaml password', password(), (value) => `database:\n  password: ${value}\n  host: db`);
  add('json password', password(), (value) => `{"user": "app", "password": "${value}"}`);
  add('json passphrase of words', `${draw(LOWER, 6)} ${draw(LOWER, 5)} horse`, (value) => `{"passphrase": "${value}"}`);
  add('client secret', u64(32), (value) => `client_secret: ${value}`);
  add('camel case secret', u64(32), (value) => `const options = { clientSecret: "${value}" };`);
  add('xml password', password(), (value) => `<server><password>${value}</password></server>`);
  add('kubernetes env', password(), (value) => `- name: DB_PASSWORD\n  value: "${value}"`);
  add('query parameter', b62(24), (value) => `GET /v1/x?page=2&access_token=${value}&limit=1`);
  add(
    'git url with token',
    `x-access-token:${b62(30)}`,
    (value) => `git clone https://${value}@git.example.com/a/b.git`,
  );
  return shapes;
}
