/** Replacement for a credential. */
export const HIDDEN = '[redacted]';

/**
 * Version of the rules, increased with every change that masks more: content stored under an older version is masked
 * again from its source (docs/use/credentials.md).
 */
export const MASK_VERSION = 3;

/** A passage that a rule hides. */
export interface Find {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** Position of the credential itself, if more than the credential is hidden: the password within `user:password@`. */
  readonly secret?: readonly [start: number, end: number];
  /** The credentials, if the passage is encoded and does not contain them in plaintext. */
  readonly credentials?: readonly Credential[];
}

/** A credential in a text, in the form in which it is used: without the escapes of the surrounding text. */
export interface Credential {
  readonly rule: string;
  readonly secret: string;
}
