import { Type } from '@sinclair/typebox';

/**
 * The trace that made the rows (W3C Trace Context); publishers from before it leave it out. Any text, since a hint must not be
 * refused for it: what cannot be read counts as left out.
 */
export const traceparent = Type.Optional(Type.String());
