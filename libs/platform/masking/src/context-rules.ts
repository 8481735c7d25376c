/** A rule for a credential that is recognized by its context. */
export interface ContextRule {
  readonly id: string;
  /**
   * Keywords in lower case; the pattern is applied only to a text that contains one of them. A keyword has to begin a
   * word, unless it is listed in `KEYWORDS_WITHIN_WORDS`.
   */
  readonly keywords: readonly string[];
  /**
   * Pattern of the credential, with the flags `dg`; the group `q`, `s`, `b` or `secret` is masked, or `hidden` if more
   * must be masked.
   */
  readonly pattern: RegExp;
  readonly isCredential?: (secret: string, hit: RegExpExecArray) => boolean;
}

/** Keywords that are also found inside words. */
export const KEYWORDS_WITHIN_WORDS: readonly string[] = [
  '://',
  '</',
  'q~',
  '_mmk',
  ':aa',
  ':apa91b',
  ':5432:',
  ':5433:',
  ':6432:',
  ':6543:',
  ':*:',
  'webhooks/flows/',
  'webhooks%2fflows%2f',
  'approval/',
  'approval%2f',
  'accept-invitation#',
  'accept-invitation%23',
];

/**
 * These rules follow those of gitleaks (MIT, see THIRD_PARTY_NOTICES.md) where gitleaks has such a rule. Every
 * repetition is bounded and none is nested, so that the time is linear in the length of any text.
 */
export const CONTEXT_RULES: readonly ContextRule[] = [
  {
    id: 'authorization',
    keywords: ['authorization'],
    // This rule hides the rest of the line, because a scheme with parameters may have the credential in any of them.
    pattern:
      /authorization\s{0,8}["'\]]{0,2}\s{0,12}[:=]\s{0,12}[["'`]{0,3}\s{0,2}(?:(?:bearer|basic|token|apikey|api-key|key|digest|negotiate|aws4-hmac-sha256|hawk|splunk|sso-key|dpop|genieKey)[ \t]{1,4})?(?<secret>[^\s"'`\n\\,;{}()<>][^"'`\n\\{}()<>]{7,4096})/dgi,
    isCredential: (secret) =>
      isNoReference(secret) &&
      /\d|[a-z][A-Z]/.test(secret) &&
      !/^(?:[a-z`'.,:-]+ ){2}|^[\w$]+\.[\w$.]+$|^[A-Za-z]+$/i.test(secret),
  },
  {
    id: 'bearer',
    keywords: ['bearer', 'basic '],
    // A token is distinguished from a word by a character that no word contains.
    pattern:
      /(?<![\w-])(?:bearer|basic)\s{1,4}(?<secret>(?=[A-Za-z0-9_~+/-]{0,200}[0-9._~+/=])[A-Za-z0-9._~+/=-]{12,8192})/dgi,
    isCredential: (secret) =>
      isNoReference(secret) && (/\d/.test(secret) || /[a-z][A-Z]/.test(secret) || secret.length > 40),
  },
  {
    id: 'cookie',
    keywords: ['cookie'],
    pattern:
      /(?<![\w-])cookie\s{0,8}["']{0,2}\s{0,12}[:=]\s{0,12}[["'`]{0,3}(?<secret>[\w.$!#%&*+^|~-]{1,128}=[^"'`\n\\{}<>]{4,8192})/dgi,
    isCredential: isNoReference,
  },
  {
    id: 'set-cookie',
    keywords: ['set-cookie'],
    pattern:
      /set-cookie\s{0,8}["']{0,2}\s{0,12}[:=,]\s{0,12}[["'`]{0,3}[\w.$!#%&*+^|~-]{1,128}=(?<secret>[^"'`\s;,\\]{6,8192})/dgi,
    isCredential: isNoReference,
  },
  {
    id: 'url-credentials',
    keywords: ['://'],
    // The pattern matches up to the last @ before the host, since a password may contain one.
    pattern: /:\/\/(?<hidden>(?<user>[^\s/?#"'<>:@\\`]{0,256}):(?<secret>[^\s/?#"'<>\\`]{1,512})@)/dg,
    isCredential: (secret) =>
      (isNoReference(secret) && !/^[\d.:]*$/.test(secret.split('@')[0] ?? '')) || /\d{4,}@?$/.test(secret),
  },
  {
    id: 'url-token',
    keywords: ['://'],
    pattern: /:\/\/(?<hidden>(?<secret>[A-Za-z0-9_.~%-]{16,512})@)/dg,
    isCredential: (secret) => /\d/.test(secret),
  },
  {
    id: 'url-signature',
    keywords: [
      'sig=',
      'signature=',
      'security-token=',
      'code=',
      'auth=',
      'hmac=',
      'sign=',
      'jwt=',
      'ticket=',
      'session=',
      'sessionid=',
      'sid=',
      'policy=',
    ],
    pattern:
      /(?<=[?&;\s](?:x-amz-|x-goog-|x-oss-|x-cos-|x-ms-)?(?:sig|signature|security-token|code|auth|hmac|sign|jwt|ticket|session|sid|sessionid|policy)=)(?<secret>[A-Za-z0-9%+/_.~=-]{10,4096})/dgi,
    isCredential: (secret) => isNoReference(secret) && /\d/.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    id: 'azure-key',
    keywords: ['accountkey', 'sharedaccesskey', 'sharedsecret'],
    pattern: /(?:AccountKey|SharedAccessKey|SharedSecret)\s{0,4}[=:]\s{0,4}["']?(?<secret>[A-Za-z0-9+/%=]{16,512})/dgi,
  },
  {
    id: 'azure-client-secret',
    keywords: ['q~'],
    pattern: /(?<![A-Za-z0-9_~.-])(?<secret>[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{24,40})/dg,
  },
  {
    id: 'yarn-auth',
    keywords: ['npmauthident'],
    pattern: /npmAuthIdent\s{0,4}["']?\s{0,4}:\s{0,4}["']?(?<secret>[^\s"']{3,512})/dg,
    isCredential: isNoReference,
  },
  {
    id: 'docker-auth',
    keywords: ['auth'],
    pattern: /(?<![A-Za-z])_?auth\s{0,8}["']?\s{0,12}[:=]\s{0,12}["']?(?<secret>[A-Za-z0-9+/]{8,2048}={0,2})/dg,
    isCredential: isUserAndPassword,
  },
  {
    id: 'kubeconfig',
    keywords: ['client-key-data', 'tls.key'],
    pattern:
      /(?:client-key-data|tls\.key)\s{0,8}["']?\s{0,12}[:=]\s{0,12}["']?(?<secret>[A-Za-z0-9+/]{20,16384}={0,2})/dg,
  },
  {
    id: 'app-key',
    keywords: ['base64:'],
    pattern: /KEY\s{0,8}["']?\s{0,12}[:=]\s{0,12}["']?(?<secret>base64:[A-Za-z0-9+/]{16,256}={0,2})/dg,
  },
  {
    id: 'terraform',
    keywords: ['atlasv1'],
    pattern: /(?<![A-Za-z0-9])(?<secret>[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{20,128})/dg,
  },
  {
    // This service issues the addresses of this rule and the next two: anyone who has one can start the flow, decide on
    // the request, or set a password.
    id: 'steward-flow',
    keywords: ['webhooks/flows/', 'webhooks%2fflows%2f'],
    pattern: /webhooks(?:\/|%2f)flows(?:\/|%2f)[\w-]{1,64}(?:\/|%2f)(?<secret>[A-Za-z0-9_.~-]{8,256})/dgi,
    isCredential: (secret) => /\d/.test(secret) || secret.length >= 20,
  },
  {
    id: 'steward-approval',
    keywords: ['approval/', 'approval%2f'],
    pattern: /approval(?:\/|%2f)(?<secret>[A-Za-z0-9_-]{32,256})/dgi,
    isCredential: (secret) =>
      /\d|[a-z][A-Z]/.test(secret) && !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(secret),
  },
  {
    id: 'steward-invitation',
    keywords: ['accept-invitation#', 'accept-invitation%23'],
    pattern: /accept-invitation(?:#|%23)(?<secret>[A-Za-z0-9_-]{16,256})/dgi,
  },
  {
    id: 'slack-webhook',
    keywords: ['hooks.slack.com', 'hooks.slack-gov.com'],
    pattern: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9+/_-]{16,200})/dg,
  },
  {
    id: 'discord-webhook',
    keywords: ['discord.com', 'discordapp.com'],
    pattern: /discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/(?<secret>\d{10,24}\/[A-Za-z0-9_-]{20,128})/dg,
  },
  {
    id: 'teams-webhook',
    keywords: ['webhook.office.com', 'logic.azure.com', 'webhookb2'],
    pattern:
      /(?:webhook\.office\.com\/webhookb2|logic\.azure\.com(?::\d{1,5})?\/workflows)\/(?<secret>[A-Za-z0-9@/_-]{16,512})/dg,
  },
  {
    id: 'google-chat-webhook',
    keywords: ['chat.googleapis.com'],
    pattern: /chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,64}\/messages\?(?<secret>[^\s"'<>`]{16,512})/dg,
  },
  {
    id: 'generic-webhook',
    keywords: ['hooks.zapier', 'maker.ifttt', 'hook.eu', 'hook.us', 'open.feishu', 'oapi.dingtalk', 'qyapi.weixin'],
    pattern:
      /(?:hooks\.zapier\.com\/hooks\/catch|maker\.ifttt\.com\/(?:trigger|use)|hook\.(?:eu|us)\d?\.make\.com|open\.feishu\.cn\/open-apis\/bot\/v2\/hook|(?:oapi\.dingtalk|qyapi\.weixin\.qq)\.com\/[a-z/-]{4,40}\?(?:access_token|key)=)\/?(?<secret>[A-Za-z0-9/_-]{10,256})/dg,
    isCredential: (secret) => /\d/.test(secret),
  },
  {
    id: 'telegram',
    keywords: [':aa'],
    pattern: /(?<![A-Za-z0-9])(?:bot)?(?<secret>\d{6,12}:AA[A-Za-z0-9_-]{28,40})/dg,
  },
  {
    id: 'telegram',
    keywords: ['telegram'],
    pattern: /(?<![A-Za-z0-9])(?:bot)?(?<secret>\d{5,16}:A[A-Za-z0-9_-]{34})(?![A-Za-z0-9_-])/dgi,
    isCredential: (_secret, hit) => /telegr[^\n]{0,60}$/i.test(hit.input.slice(Math.max(0, hit.index - 66), hit.index)),
  },
  {
    id: 'firebase',
    keywords: [':apa91b'],
    pattern: /(?<![A-Za-z0-9])(?<secret>[A-Za-z0-9_-]{7,24}:APA91b[A-Za-z0-9_-]{60,256})/dg,
  },
  { id: 'maxmind', keywords: ['_mmk'], pattern: /(?<![A-Za-z0-9])(?<secret>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)/dg },
  {
    id: 'asana',
    keywords: ['1/1', '2/1', '0/1'],
    pattern: /(?<![A-Za-z0-9/])(?<secret>[0-2]\/\d{12,20}(?:\/\d{10,20})?:[a-f0-9]{32})/dg,
  },
  {
    id: 'plaid',
    keywords: ['access-'],
    pattern: /(?<![A-Za-z0-9])(?<secret>access-(?:sandbox|development|production)-[0-9a-f-]{30,40})/dg,
  },
  {
    id: 'yandex',
    keywords: ['t1.'],
    pattern: /(?<![A-Za-z0-9])(?<secret>t1\.[A-Za-z0-9_-]{20,400}={0,2}\.[A-Za-z0-9_-]{60,100}={0,2})/dg,
  },
  {
    id: 'facebook-app',
    keywords: ['facebook', 'fb'],
    pattern: /(?<![A-Za-z0-9])(?<secret>\d{15,16}(?:\||%7C)[A-Za-z0-9_-]{25,40})(?![A-Za-z0-9])/dg,
  },
  {
    id: 'netrc',
    keywords: ['machine ', 'login '],
    pattern:
      /(?<![\w-])(?:machine\s{1,8}\S{1,256}|default)\s{1,12}login\s{1,12}\S{1,256}\s{1,12}password\s{1,12}(?<secret>\S{3,512})/dg,
    isCredential: isNoReference,
  },
  {
    id: 'pgpass',
    keywords: [':5432:', ':5433:', ':6432:', ':6543:', ':*:'],
    pattern:
      /(?<![\w.*-])[\w.*-]{1,256}:(?:5432|5433|6432|6543|\*):[\w*-]{1,64}:[\w*.@-]{1,64}:(?<secret>[^\s"'`,]{3,256})/dg,
  },
  {
    id: 'named-value',
    keywords: ['value'],
    // This rule matches `{"name": "DB_PASSWORD", "value": "..."}`, `- name: DB_PASSWORD` with its value on the next
    // line, and `<add key="Password" value="..."`.
    pattern:
      /(?<=(?:name|key)\s{0,8}["']?\s{0,12}[:=]\s{0,12}["']?[\w.-]{0,64}(?:authorization|cookie|password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|passphrase|pwd)\s{0,8}["']?[,\s]{1,40}["']?value\s{0,8}["']?\s{0,12}[:=]\s{0,12})(?:"(?<q>[^"\n]{4,512})"|'(?<s>[^'\n]{4,512})'|(?<b>[^\s"'{}<>,$]{4,512}))/dgi,
    isCredential: isNoReference,
  },
  {
    id: 'element',
    keywords: ['</'],
    pattern:
      /<[\w.:-]{0,40}?(?<name>password|passwd|secret|token|api-?key|access-?key|secret-?key|passphrase)>\s{0,64}(?<secret>[^<>\s][^<>\n]{2,510}[^<>\s])\s{0,64}<\//dgi,
    isCredential: (secret, hit) =>
      isNoReference(secret) &&
      (!/^token$/i.test(hit.groups?.['name'] ?? '') ||
        /^(?=\D{0,80}\d)(?=[^A-Za-z]{0,80}[A-Za-z])\S{20,}$/.test(secret)),
  },
];

/** Returns whether a value is neither a reference to a secret nor a masked value. */
export function isNoReference(secret: string): boolean {
  return !/^["']?(?:\$|\{\{|%[A-Z_]+%|\*{3}|<|\.\.\.|\[redacted|\[hidden|\[REDACTED|\{|\(|@|#\{)/.test(secret);
}

/** Returns whether a value is the base64 encoding of `user:password`, as Docker and npm store it. */
function isUserAndPassword(secret: string): boolean {
  return /^[\x20-\x7e]{1,128}:[\x20-\x7e]{1,1024}$/.test(Buffer.from(secret, 'base64').toString('latin1'));
}
