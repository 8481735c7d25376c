/**
 * Text: text and JSON that came from outside, made fit to be kept.
 *
 * Not here: hiding credentials in it (masking), what counts as content of a session (sessions).
 * Used by: http (bodies), the slices that store what clients send.
 */
export { toStorableJson, toStorableText } from './well-formed-text.ts';
