/**
 * Masking: rules that find credentials, and the masking of texts. One rule set serves the search corpus, responses,
 * logs and the command line.
 *
 * Not here: who sees masked texts, what is stored about a credential (search context). This lib does no I/O, since the
 * command line bundles it. Used by: process (log lines), the command line, and all code that indexes or shows external
 * texts.
 */
export { HIDDEN, MASK_VERSION, type Credential } from './credential.ts';
export { removeEscapes } from './blank-escapes.ts';
export { isCredentialName } from './credential-name.ts';
export { findCredentials, maskCredentials, type MaskedText } from './find-credentials.ts';
export { listPossibleSecrets } from './list-possible-secrets.ts';
export { maskJson } from './mask-json.ts';
