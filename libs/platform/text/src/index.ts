/**
 * Text: prepares external text and JSON for storage and display, measures JSON before it is parsed, and writes a count
 * with its noun in the singular or the plural.
 *
 * Not here: masking of credentials (masking), what counts as content of a session (sessions). Used by: all code that
 * parses, stores or shows text of clients or external servers. It also runs in the console, so nothing here needs Node.
 */
export { countNoun } from './count-noun.ts';
export { isExactNumber, parseExactJson, readExactNumber, toPlainJson, toReadableJson } from './exact-json.ts';
export { findJsonExcess, JsonMeter, type JsonExcess, type JsonLimits } from './json-meter.ts';
export { escapeSigns, showSigns } from './show-signs.ts';
export { toStorableJson, toStorableText } from './well-formed-text.ts';
