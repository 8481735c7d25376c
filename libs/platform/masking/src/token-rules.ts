/**
 * A credential identified by its prefix: one of `starts` at the beginning of a word, then `rest` (a regular
 * expression).
 */
export interface TokenRule {
  readonly id: string;
  readonly starts: readonly string[];
  readonly rest: string;
  /**
   * True if a match must not begin after `-`, `_`, `+` or `/`, in addition to letters and digits: otherwise a long rest
   * would be read again for every prefix within it.
   */
  readonly isLong?: boolean;
}

const rule = (id: string, starts: string, rest: string): TokenRule => ({ id, starts: starts.split(' '), rest });

/**
 * Returns a pattern for letters, digits, and the extra characters of base64url. It is bounded, so that a text that
 * consists of prefixes is read in linear time.
 */
const url = (least: number): string => `[A-Za-z0-9_-]{${least},256}`;
const alphanumeric = (least: number): string => `[A-Za-z0-9]{${least},256}`;
const hex = (least: number): string => `[A-Fa-f0-9]{${least},256}`;
const base64 = (least: number): string => `[A-Za-z0-9+/_-]{${least},512}={0,2}`;
const dotted = (least: number): string => `[A-Za-z0-9_.=-]{${least},300}`;
/**
 * Returns a pattern for the text after a prefix that also occurs in ordinary names: it requires a digit, which a name
 * made of words does not contain.
 */
const opaque = (least: number): string => `(?=[A-Za-z_-]{0,80}\\d)[A-Za-z0-9_-]{${least},256}`;
const mixed = (least: number): string => `(?=[A-Za-z_-]{0,80}\\d)(?=[a-z0-9_-]{0,80}[A-Z])[A-Za-z0-9_-]{${least},256}`;

/**
 * All rules. Prefixes and alphabets follow the rules of gitleaks (MIT, see THIRD_PARTY_NOTICES.md), but with relaxed
 * lengths, so that a token truncated in a log line is still hidden.
 */
export const TOKEN_RULES: readonly TokenRule[] = [
  rule('steward', 'stw_ whsec_ flw_', '[A-Za-z0-9_+/=-]{8,256}'),
  // Model providers.
  rule('sk-key', 'sk-', `(?:proj-|ant-|or-|svcacct-|admin-|live-|test-)?${opaque(16)}`),
  rule('elevenlabs', 'sk_', hex(32)),
  rule('huggingface', 'hf_ api_org_', `(?:(?=[A-Za-z]{0,80}\\d)${alphanumeric(20)}|[A-Za-z]{34}(?![A-Za-z0-9_]))`),
  rule('replicate', 'r8_', alphanumeric(16)),
  rule('groq', 'gsk_', alphanumeric(16)),
  rule('xai', 'xai-', opaque(16)),
  rule('perplexity', 'pplx-', opaque(16)),
  rule('langsmith', 'lsv2_', url(16)),
  rule('pinecone', 'pcsk_', url(16)),
  rule('fireworks', 'fw_', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(20)}`),
  rule('bedrock', 'ABSK bedrock-api-key-', `${base64(40)}`),
  // Code hosts and their pipelines.
  rule('github', 'ghp_ gho_ ghu_ ghs_ ghr_', `(?:\\d{1,20}_eyJ[A-Za-z0-9_.-]{20,4096}|${url(16)})`),
  rule('github', 'github_pat_', url(16)),
  rule(
    'gitlab',
    'glpat- gldt- glrt- glptt- glcbt- glffct- glft- glimt- glagent- gloas- glsoat- GR1348941',
    '[A-Za-z0-9_.-]{10,320}',
  ),
  rule('atlassian', 'ATATT ATCTT', '[A-Za-z0-9_=.-]{16,512}'),
  rule('bitbucket', 'ATBB BBDC-', alphanumeric(16)),
  rule('sourcegraph', 'sgp_', '[A-Za-z0-9_]{20,256}'),
  rule('buildkite', 'bkua_ bkct_', alphanumeric(16)),
  rule('circleci', 'CCIPAT_ CCIPRJ_', url(16)),
  rule('sonar', 'squ_ sqp_ sqa_', alphanumeric(20)),
  rule('harness', 'pat. sat.', '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{20,32}\\.[A-Za-z0-9]{16,32}'),
  rule('octopus', 'API-', '[A-Z0-9]{20,40}(?![A-Za-z0-9-])'),
  rule('pulumi', 'pul-', hex(32)),
  rule('prefect', 'pnu_ pnb_', alphanumeric(20)),
  rule('infracost', 'ico-', `(?=[A-Za-z]{0,80}\\d)(?=[a-z0-9]{0,80}[A-Z])${alphanumeric(24)}`),
  rule('postman', 'PMAK-', '[A-Fa-f0-9]{16,32}-[A-Fa-f0-9]{16,64}'),
  rule('readme', 'rdme_', alphanumeric(30)),
  // Package registries.
  rule('npm', 'npm_', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(20)}`),
  rule('pypi', 'pypi-', mixed(16)),
  rule('rubygems', 'rubygems_', hex(24)),
  rule('docker', 'dckr_pat_ dckr_oat_', url(16)),
  rule('crates', 'cio', `(?=[A-Za-z]{0,80}\\d)[A-Za-z0-9]{32}(?![A-Za-z0-9_])`),
  rule('nuget', 'oy2', '(?=[a-z]{0,80}\\d)[a-z0-9]{43}(?![A-Za-z0-9_])'),
  rule('clojars', 'CLOJARS_', alphanumeric(30)),
  rule('artifactory', 'AKCp cmVmd', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(30)}`),
  // Clouds and platforms.
  rule('aws-access-key', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  rule('google-api-key', 'AIza', url(30)),
  rule('google-oauth', 'ya29.', '[A-Za-z0-9_.-]{20,512}'),
  rule('google-client-secret', 'GOCSPX-', url(16)),
  rule('google-refresh-token', '1//0', url(20)),
  rule('alibaba', 'LTAI', '(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{12,32}(?![A-Za-z0-9])'),
  rule('digitalocean', 'dop_v1_ doo_v1_ dor_v1_', hex(16)),
  rule('heroku', 'HRKU-', url(20)),
  rule('fly', 'fo1_ fm1a_ fm1r_ fm2_', base64(30)),
  rule('cloudflare', 'cfat_ cfut_ cfk_', alphanumeric(20)),
  rule('cloudflare', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{40,200}'),
  rule('render', 'rnd_', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(20)}`),
  rule('netlify', 'nfp_', alphanumeric(20)),
  rule('vercel', 'vcp_ vci_ vca_ vcr_ vck_', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(20)}`),
  rule('tailscale', 'tskey-', url(12)),
  rule('openshift', 'sha256~', url(30)),
  rule('scalingo', 'tk-us-', url(24)),
  rule('yandex', 'AQVN', url(30)),
  rule('doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9_.-]{20,80}'),
  rule('vault', 'hvs. hvb. hvr.', url(20)),
  rule('vault', 's.', '(?=[A-Za-z]{0,24}\\d)(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9_.(=])'),
  rule('age', 'AGE-SECRET-KEY-1', '[A-Za-z0-9]{20,80}'),
  rule('1password', 'ops_eyJ', base64(40)),
  rule('1password', 'A3-', '[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5,6}){2,4}'),
  // Databases and data.
  rule('databricks', 'dapi', '[a-f0-9]{32}(?:-\\d)?'),
  rule('supabase', 'sbp_ sb_secret_', url(20)),
  rule('planetscale', 'pscale_tkn_ pscale_oauth_ pscale_pw_', dotted(16)),
  rule('neon', 'napi_', alphanumeric(20)),
  rule('airtable', 'pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{40,80}'),
  rule('elastic', 'essu_', base64(20)),
  rule('clickhouse', '4b1d', '(?=[a-z0-9]{0,38}[A-Z])[A-Za-z0-9]{38}(?![A-Za-z0-9])'),
  // Monitoring and analytics.
  rule('grafana', 'glsa_ glc_', '[A-Za-z0-9_+/=-]{16,420}'),
  rule('grafana', 'eyJrIjoi', base64(40)),
  rule('sentry', 'sntrys_ sntryu_ sntrya_', '[A-Za-z0-9_+/=-]{16,512}'),
  rule('newrelic', 'NRAK- NRII- NRJS- NRBR- NRRA-', url(12)),
  rule('dynatrace', 'dt0c01. dt0s01. dt0s16.', dotted(20)),
  rule('honeycomb', 'hcaik_ hcxik_ hcamk_', alphanumeric(20)),
  rule('posthog', 'phx_', alphanumeric(20)),
  // Chat, email, work.
  rule('slack', 'xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr-', '(?=[A-Za-z.-]{0,8}\\d)[A-Za-z0-9.%/+-]{10,256}'),
  rule('slack', 'xoxs- xoxc- xoxd-', '[A-Za-z0-9.%/+-]{10,256}'),
  rule('slack', 'xapp-', '\\d-[A-Za-z0-9-]{10,256}'),
  rule('discord', 'mfa.', url(40)),
  // The token begins with the base64-encoded id of a bot, which consists of digits only.
  rule(
    'discord',
    'MT Mj Mz ND NT Nj Nz OD OT',
    '(?=[A-Za-z]{0,26}\\d)[A-Za-z0-9]{20,26}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{25,45}',
  ),
  rule('sendgrid', 'SG.', '[A-Za-z0-9_-]{12,64}\\.[A-Za-z0-9_-]{12,128}'),
  rule('brevo', 'xkeysib- xsmtpsib-', url(20)),
  rule('mailgun', 'key- pubkey-', '[a-f0-9]{32}(?![a-f0-9])'),
  rule('resend', 're_', '(?=[A-Za-z_]{0,40}\\d)(?=[a-z0-9_]{0,40}[A-Z])[A-Za-z0-9]{8,12}_?[A-Za-z0-9]{16,40}'),
  rule('twilio', 'SK', '[0-9a-f]{32}(?![0-9a-f])'),
  rule('linear', 'lin_api_ lin_oauth_ lin_wh_', alphanumeric(16)),
  rule('notion', 'ntn_', alphanumeric(20)),
  rule('notion', 'secret_', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(30)}`),
  rule('figma', 'figd_ figu_', url(20)),
  rule('hubspot', 'pat-na1- pat-na2- pat-eu1-', '[A-Fa-f0-9-]{20,80}'),
  rule('contentful', 'CFPAT-', url(20)),
  rule('typeform', 'tfp_', dotted(20)),
  rule('frameio', 'fio-u-', dotted(20)),
  rule('adobe', 'p8e-', alphanumeric(24)),
  rule('wakatime', 'waka_', '[a-f0-9-]{30,40}'),
  rule('intra42', 's-s4t2ud- s-s4t2af-', hex(32)),
  rule('settlemint', 'sm_aat_ sm_pat_ sm_sat_', alphanumeric(12)),
  rule('mapbox', 'sk.eyJ', dotted(30)),
  rule('dropbox', 'sl.', '(?=[A-Za-z_-]{0,60}\\d)[A-Za-z0-9_=-]{60,400}'),
  // Payments.
  rule('stripe', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', alphanumeric(10)),
  rule('square', 'sq0atp- sq0csp- sq0idp-', url(16)),
  rule('square', 'EAAA EAAl', mixed(40)),
  rule('facebook', 'EAAM EAAC EAAB EAAG', alphanumeric(60)),
  rule('paypal', 'access_token$production$ access_token$sandbox$', '[a-z0-9]{8,32}\\$[a-f0-9]{20,64}'),
  rule('shopify', 'shpat_ shpca_ shppa_ shpss_', alphanumeric(16)),
  rule('razorpay', 'rzp_live_ rzp_test_', alphanumeric(12)),
  rule('flutterwave', 'FLWSECK_TEST- FLWSECK-', '[A-Za-z0-9]{12,64}(?:-X)?'),
  rule('easypost', 'EZAK EZTK', `(?=[A-Za-z]{0,80}\\d)${alphanumeric(40)}(?![A-Za-z0-9+/])`),
  rule('duffel', 'duffel_test_ duffel_live_', dotted(20)),
  rule('shippo', 'shippo_live_ shippo_test_', hex(20)),
  // A JSON Web Token has three parts; the signature of an unsigned one is empty.
  { ...rule('jwt', 'eyJ', '[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{8,16384}\\.[A-Za-z0-9_-]{0,2048}'), isLong: true },
  {
    ...rule('jwt', 'ey', '[A-Za-z0-9]{17,8192}\\.ey[A-Za-z0-9/_-]{17,16384}\\.[A-Za-z0-9/_-]{10,2048}={0,2}'),
    isLong: true,
  },
  { ...rule('jwt-base64', 'ZXlK', '[A-Za-z0-9+/]{60,8192}={0,2}'), isLong: true },
];
