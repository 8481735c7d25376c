import { execFileSync } from 'node:child_process';
import { createHmac, createSign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceName } from '@steward/flows';

type Json = Readonly<Record<string, unknown>>;

/** A request as its host creates it, before it is signed. */
export interface SourceCase {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  /**
   * Encoding of the body. Default: JSON; `form` puts it into `payload`, `fields` sends it as a form, `text` is JSON as
   * text/plain.
   */
  readonly as?: 'form' | 'fields' | 'text';
  readonly outcome?: 'ignored' | 'challenge' | 'deduplicated';
  readonly told?: { readonly event: string | null; readonly action: string | null };
  /** Headers that differ in a retry. */
  readonly again?: Readonly<Record<string, string>>;
  /** False if the host does not mark retries. */
  readonly repeats?: false;
}

/** Returns an HMAC. Requests are signed in the way that each host documents, independently of the code under test. */
const hmac = (secret: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(encoding);

const SECRET = 'the signing secret of a test';
const STANDARD_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Creates an RSA key and its certificate. */
function makeCertificate(): { readonly key: string; readonly certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sns-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  try {
    const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sns.amazonaws.com'];
    execFileSync('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function createSigner() {
  const { key, certificate } = makeCertificate();
  const now = () => String(Math.floor(Date.now() / 1000));

  function signSns(body: Json): Json {
    const names =
      body.Type === 'Notification'
        ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
    const text = names.filter((name) => name in body).map((name) => `${name}\n${String(body[name])}\n`);
    const algorithm = body.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    return { ...body, Signature: createSign(algorithm).update(text.join('')).sign(key, 'base64') };
  }

  function signStandard(prefix: string, id: string, text: string) {
    const time = now();
    const secret = Buffer.from(STANDARD_SECRET.slice(6), 'base64');
    const signature = `v1,${hmac(secret, `${id}.${time}.${text}`, 'base64')}`;
    return { [`${prefix}-timestamp`]: time, [`${prefix}-signature`]: `v1,bm90aGluZw== ${signature}` };
  }

  const headersOf: Record<SourceName, (text: string, given: SourceCase['headers']) => Record<string, string>> = {
    generic: () => ({}),
    github: (text) => ({ 'X-Hub-Signature-256': `sha256=${hmac(SECRET, text)}` }),
    gitlab: () => ({ 'X-Gitlab-Token': SECRET }),
    bitbucket: (text) => ({ 'X-Hub-Signature': `sha256=${hmac(SECRET, text)}` }),
    gitea: (text, given) => {
      const vendor = Object.keys(given)[0]?.split('-')[1] ?? '';
      return { [`X-${vendor}-Signature`]: hmac(SECRET, text) };
    },
    jira: (text) => ({ 'X-Hub-Signature': `sha256=${hmac(SECRET, text)}` }),
    linear: (text) => ({ 'Linear-Signature': hmac(SECRET, text) }),
    slack: (text) => {
      const time = now();
      return { 'X-Slack-Request-Timestamp': time, 'X-Slack-Signature': `v0=${hmac(SECRET, `v0:${time}:${text}`)}` };
    },
    sns: () => ({}),
    stripe: (text) => {
      const time = now();
      return { 'Stripe-Signature': `t=${time},v1=${hmac('rolled', 'x')},v1=${hmac(SECRET, `${time}.${text}`)},v0=0` };
    },
    standard_webhooks: (text, given) => {
      const prefix = 'svix-id' in given ? 'svix' : 'webhook';
      return signStandard(prefix, given[`${prefix}-id`] ?? '', text);
    },
    cloudevents: () => ({ Authorization: `Bearer ${SECRET}` }),
  };

  return {
    secretOf(source: SourceName): string {
      if (source === 'sns') return certificate;
      return source === 'standard_webhooks' ? STANDARD_SECRET : SECRET;
    },
    /** Returns body and headers as they are sent. */
    sign(source: SourceName, { headers, body, as }: SourceCase) {
      const json = JSON.stringify(source === 'sns' ? signSns(body) : body);
      const text =
        as === 'form'
          ? new URLSearchParams({ payload: json }).toString()
          : as === 'fields'
            ? new URLSearchParams(body as Record<string, string>).toString()
            : json;
      const type = as === undefined ? 'application/json' : as === 'text' ? 'text/plain; charset=UTF-8' : FORM;
      const all = { 'Content-Type': type, ...headers, ...headersOf[source](text, headers) };
      return {
        body: text,
        headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value])),
      };
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';
