/**
 * Text: external text and JSON, made fit for storage and display, and measured before it is parsed.
 *
 * Not here: hiding credentials in it (masking), what counts as content of a session (sessions). Used by: http (bodies),
 * the contexts that store what clients send, egress and its clients (responses of external servers), everything that
 * shows people what agents wrote; the console too, so nothing here needs Node.
 */
export { isExactNumber, parseExactJson, readExactNumber, toPlainJson, toReadableJson } from './exact-json.ts';
export { findJsonExcess, JsonMeter, type JsonExcess, type JsonLimits } from './json-meter.ts';
export { escapeSigns, showSigns } from './show-signs.ts';
export { toStorableJson, toStorableText } from './well-formed-text.ts';
