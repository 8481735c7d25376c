import { Type } from '@sinclair/typebox';

/**
 * The trace that made the rows (W3C Trace Context); older publishers leave it out. Any text is accepted, since a hint
 * must not be refused for it: an unreadable value counts as missing.
 */
export const traceparent = Type.Optional(Type.String());
