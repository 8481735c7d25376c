export const HIDDEN = '[redacted]';

/**
 * Credentials that can be told by their shape alone, with next to no false alarm: for texts people search, where a hidden
 * word is a word nobody finds. Each is linear: no shape can start again inside what it has just scanned.
 */
export const CREDENTIAL_SHAPES: readonly RegExp[] = [
  // Our own keys and secrets.
  /(?<![A-Za-z0-9])(?:stw|whsec|flw)_[A-Za-z0-9_+/=-]{8,}/g,
  // Keys of model providers, code hosts, chats, clouds, payment and package services.
  /(?<![A-Za-z0-9_-])sk-(?:proj-|ant-|or-|svcacct-|live-|test-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|gldt-|npm_|hf_|pypi-|dop_v1_|shpat_|r8_|gsk_|xai-|pplx-|lsv2_)[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // A JSON Web Token. The look-behind keeps "-eyJ-eyJ-eyJ..." from being scanned once per repetition.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  // User and password of a URL, up to the last @ before the host: a password may hold one.
  /(?<=:\/\/)[^\s/?#"'<>]+@/g,
];
