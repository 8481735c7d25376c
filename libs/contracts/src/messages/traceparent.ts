import { Type } from '@sinclair/typebox';

/**
 * Schema of the trace in which the rows of a message were created (W3C Trace Context); older publishers omit the trace.
 * Any string is accepted, since a message must not be rejected because of its trace: an invalid one is treated as
 * missing.
 */
export const traceparent = Type.Optional(Type.String());
