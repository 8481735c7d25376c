import type { SessionWriteOptions } from '@steward/slice-gateway';

/** The deployment's settings the writes of this slice follow. */
export type FlowWriteOptions = SessionWriteOptions;
