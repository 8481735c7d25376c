import { LRUCache } from 'lru-cache';

/** Matches names whose value is always a credential; the name has to be in lower case, with `_` between its words. */
const STRONG_NAME =
  /(?:^|_)(?:[a-z0-9]*(?:password|passwd)|passphrase|pwd|pass|secret|(?:api|access|private|client|secret|encryption|signing|signature|master|app|auth|account|storage|license|deploy|webhook|jwt|hmac|shared|service|session|security|rsa|ssh)_?key(?:_?(?:base|data|value|b64|base64|pem))?|credentials?|client_?secret|_auth|auth_ident|(?:access|api|app|bot|user|auth|refresh|session|id|bearer|csrf|xsrf|security|vault|identity)_?token)$/;
/** Matches names used both for credentials and for other things: models count tokens, and lists return page tokens. */
const OPAQUE_NAME = /(?:^|_)(?<!public_)(?:token|tok|pat|creds)$/;
/**
 * Matches names of environment variables such as `ALGOLIA_ADMIN_KEY`. It does not match names of variables in source
 * code, such as `cacheKey`, whose values are not credentials.
 */
const ENVIRONMENT_KEY = /^[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?<!PUBLIC_)KEY$/;

export type NameKind = 'strong' | 'opaque' | 'none';

/**
 * Classifies the value of a field or variable by its name. `opaque` means that the value is a credential only if it
 * looks like one.
 */
export function classifyName(name: string): NameKind {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const kind = judgeName(name);
  if (name.length <= LONGEST_NAME) remembered.set(name, kind);
  return kind;
}

/** Cached results, since the same few names occur repeatedly. */
const remembered = new LRUCache<string, NameKind>({ max: 1000 });

function judgeName(name: string): NameKind {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.]/g, '_')
    .toLowerCase();
  if (STRONG_NAME.test(words)) return 'strong';
  return OPAQUE_NAME.test(words) || ENVIRONMENT_KEY.test(name) ? 'opaque' : 'none';
}

/**
 * Returns true for the name of a field that always holds a credential, such as `db_password` or `clientSecret`, or may
 * hold one, such as `token`.
 */
export function isCredentialName(name: string): boolean {
  return name.length <= LONGEST_NAME && classifyName(name) !== 'none';
}

export const LONGEST_NAME = 80;
