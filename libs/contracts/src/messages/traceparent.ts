import { Type } from '@sinclair/typebox';

/**
 * Schema of the trace in which the rows were created (W3C Trace Context); older publishers omit it. Any string is
 * accepted, since a hint must not be rejected because of it: an invalid value is treated as missing.
 */
export const traceparent = Type.Optional(Type.String());
